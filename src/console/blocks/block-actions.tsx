import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { UIAction } from '../../protocol/events.js';
import { isRecord, readAction, readText } from '../markup/basics/read-markup.js';
import type { ActionStep, ComponentSession } from '../markup/component-session.js';
import { GoLink } from '../shell/navigation.js';
import { DiffView } from '../text/diff-view.js';
import { formatDuration, formatTime, prettyJson } from '../text/format.js';
import { JsonView } from '../text/json-view.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Status } from '../ui/status.js';

/** The actions that the block's markup offers, and those that were sent. */
export function BlockActions({ session }: { session: ComponentSession }): JSX.Element {
  const { element, busy, history } = useCell(session.view);
  const offered = actionsIn(element);
  return (
    <div class="stack">
      <ul class="rows">
        {offered.map(({ label, action }) => (
          <li key={JSON.stringify(action)} class="bar">
            <code class="grow cut" title={JSON.stringify(action, null, 2)}>
              {action.action}
            </code>
            <span class="quiet small cut">{label}</span>
            <Button size="small" icon="play" disabled={busy} onPress={() => void session.send(action)}>
              Send<span class="only-read-aloud"> {action.action}</span>
            </Button>
          </li>
        ))}
      </ul>
      {offered.length === 0 && <p class="quiet">The markup offers no actions.</p>}
      <h3 class="bar section-title">Sent</h3>
      {history.length > 0 ? (
        <ActionHistory session={session} />
      ) : (
        <p class="quiet">Press a button in the block, or send an action above, to see what it changes.</p>
      )}
    </div>
  );
}

interface OfferedAction {
  label: string;
  action: UIAction;
}

/** Returns the different actions in the markup, with the label of the first element that offers each. */
function actionsIn(markup: unknown): OfferedAction[] {
  const found = new Map<string, OfferedAction>();
  const walk = (value: unknown, label: string): void => {
    const action = readAction(value);
    if (action) found.set(JSON.stringify(action), found.get(JSON.stringify(action)) ?? { label, action });
    else if (Array.isArray(value)) for (const one of value) walk(one, label);
    else if (isRecord(value)) {
      const own = readText(value.label) ?? readText(value.title) ?? label;
      for (const inner of Object.values(value)) walk(inner, own);
    }
  };
  walk(markup, '');
  return [...found.values()];
}

function ActionHistory({ session }: { session: ComponentSession }): JSX.Element {
  const { history } = useCell(session.view);
  const [opened, setOpened] = useState<number>();
  const open = opened ?? history[0]?.number;
  return (
    <ol class="rows">
      {history.map((step) => (
        <li key={step.number}>
          <button
            type="button"
            class="bar pick option action-step"
            aria-expanded={step.number === open}
            onClick={() => setOpened(step.number === open ? 0 : step.number)}
          >
            <span class="number quiet">{step.number}</span>
            <code class="grow cut">{step.action.action}</code>
            {step.error !== undefined && <Status tone="bad">failed</Status>}
            <span class="number quiet">{formatDuration(step.durationMs)}</span>
            <span class="number quiet">{formatTime(step.time)}</span>
          </button>
          {step.number === open && <Step step={step} session={session} />}
        </li>
      ))}
    </ol>
  );
}

function Step({ step, session }: { step: ActionStep; session: ComponentSession }): JSX.Element {
  const { action, before, after, call, error } = step;
  return (
    <div class="stack tight action-detail">
      {error !== undefined && <p class="field-error">{error}</p>}
      <h3>Action</h3>
      <JsonView value={action} label="Action" open={3} />
      <h3>State before and after</h3>
      <DiffView before={prettyJson(before)} after={prettyJson(after)} label="State before and after" />
      <div class="row">
        <Button size="small" onPress={() => void session.redraw({ state: before })}>
          Restore the previous state
        </Button>
        {call !== undefined && <GoLink to={{ view: 'calls', call }}>View the call</GoLink>}
      </div>
    </div>
  );
}
