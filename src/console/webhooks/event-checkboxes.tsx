import type { JSX } from 'preact';
import { selectableEvents } from '../../protocol/webhook-events.js';

interface EventTicksProps {
  kind: 'site' | 'space';
  selected: readonly string[];
  onChange: (selected: string[]) => void;
}

export function EventTicks({ kind, selected, onChange }: EventTicksProps): JSX.Element {
  return (
    <fieldset class="stack tight ticks">
      <legend class="field-label">Events</legend>
      {selectableEvents[kind].map((type) => (
        <label key={type} class="bar">
          <input
            type="checkbox"
            class="tick"
            checked={selected.includes(type)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...selected, type] : selected.filter((one) => one !== type),
              )
            }
          />
          <span class="mono">{type}</span>
        </label>
      ))}
    </fieldset>
  );
}
