import type { JSX } from 'preact';
import { Field } from '../ui/form/field.js';

export function UrlField(props: {
  url: string;
  hint?: string;
  onChange: (url: string) => void;
}): JSX.Element {
  const { url, hint, onChange } = props;
  return (
    <Field label="URL" hint={hint} required>
      {(ids) => (
        <input
          {...ids}
          type="url"
          class="control"
          required
          placeholder="http://127.0.0.1:3000/webhook"
          value={url}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
