import type { JSX, RefObject } from 'preact';
import { Field } from './field.js';

interface CodeFieldProps {
  label: string;
  rows: number;
  value: string;
  error?: string | undefined;
  area: RefObject<HTMLTextAreaElement | null>;
  onChange: (value: string) => void;
}

/** A text field for code. Pass its `area` to `selectAt` to show a place in it. */
export const CodeField = ({ label, rows, value, error, area, onChange }: CodeFieldProps): JSX.Element => (
  <Field label={label} hideLabel error={error}>
    {(ids) => (
      <textarea
        {...ids}
        ref={area}
        class="control mono"
        dir="ltr"
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    )}
  </Field>
);

/** Selects the character at an offset. */
export function selectAt({ current }: RefObject<HTMLTextAreaElement | null>, offset: number): void {
  current?.focus();
  current?.setSelectionRange(offset, offset + 1);
}
