import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.js';
import type { FieldIds } from '../ui/form/control-ids.js';
import { Field } from '../ui/form/field.js';
import { Switch } from '../ui/form/switch.js';
import { prettyJson } from '../text/format.js';

interface ValueFieldProps {
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
  onRemove: () => void;
}

export function ValueField({ name, value, onChange, onRemove }: ValueFieldProps): JSX.Element {
  return (
    <div class="bar align-start prop">
      <Field label={name} inline={typeof value === 'boolean'}>
        {(ids) => <Control ids={ids} value={value} onChange={onChange} />}
      </Field>
      <Button size="small" kind="quiet" icon="cross" label={`Remove ${name}`} onPress={onRemove} />
    </div>
  );
}

interface ControlProps {
  ids: FieldIds;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Control({ ids, value, onChange }: ControlProps): JSX.Element {
  switch (typeof value) {
    case 'string':
      return value.includes('\n') ? (
        <textarea
          {...ids}
          class="control mono"
          rows={Math.min(16, value.split('\n').length + 1)}
          spellcheck={false}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input
          {...ids}
          type="text"
          class="control"
          autocomplete="off"
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'boolean':
      return <Switch ids={ids} checked={value} onChange={onChange} />;
    default:
      return <JsonControl ids={ids} value={value} onChange={onChange} />;
  }
}

/** Sets the value whenever the text is valid JSON, such as a number, a list, an object or null. */
function JsonControl({ ids, value, onChange }: ControlProps): JSX.Element {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? prettyJson(value);
  return (
    <textarea
      {...ids}
      class="control mono"
      aria-invalid={draft !== undefined || undefined}
      rows={Math.min(10, text.split('\n').length)}
      spellcheck={false}
      value={text}
      onInput={(event) => {
        const typed = event.currentTarget.value;
        try {
          onChange(JSON.parse(typed));
          setDraft(undefined);
        } catch {
          setDraft(typed);
        }
      }}
    />
  );
}
