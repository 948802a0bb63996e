import type { JSX } from 'preact';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { targetKey, type Installed } from './where-installed.js';
import { Field } from '../ui/form/field.js';

interface TargetSelectProps {
  targets: readonly Installed[];
  value: InstalledTarget | undefined;
  onChange: (target: InstalledTarget) => void;
  label: string;
  hideLabel?: boolean;
}

const kinds = { organization: '', site: 'Site: ', space: 'Space: ' };

export function TargetSelect({ targets, value, onChange, label, hideLabel }: TargetSelectProps): JSX.Element {
  return (
    <Field label={label} hideLabel={hideLabel ?? false}>
      {(ids) => (
        <select
          {...ids}
          class="control"
          value={value && targetKey(value)}
          disabled={targets.length === 0}
          onChange={(event) => {
            const chosen = targets.find(({ target }) => targetKey(target) === event.currentTarget.value);
            if (chosen) onChange(chosen.target);
          }}
        >
          {targets.length === 0 && <option value="">not installed</option>}
          {targets.map(({ target, kind, title }) => (
            <option key={targetKey(target)} value={targetKey(target)}>
              {kinds[kind] + title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
