import type { JSX, RefObject } from 'preact';
import { Field } from './field.js';

interface CodeFieldProps {
  label: string;
  rows: number;
  value: string;
  error?: string | undefined;
  /** Numbers the lines, which are then not wrapped. */
  numbered?: boolean;
  /** The number of a line to mark. */
  wrongLine?: number | undefined;
  area: RefObject<HTMLTextAreaElement | null>;
  onChange: (value: string) => void;
}

/** A text field for code. Pass its `area` to `selectAt` to show a place in it. */
export function CodeField(props: CodeFieldProps): JSX.Element {
  const { label, rows, value, error, numbered = false, wrongLine, area, onChange } = props;
  const lines = Math.max(rows, value.split('\n').length);
  return (
    <Field label={label} hideLabel error={error}>
      {(ids) => (
        <div class={numbered ? 'control m-code-editor' : undefined} dir="ltr">
          {numbered && (
            <div class="m-code-gutter" aria-hidden="true">
              {Array.from({ length: lines }, (_, index) => (
                <div key={index} class={index + 1 === wrongLine ? 'wrong-line' : undefined}>
                  {index + 1}
                </div>
              ))}
            </div>
          )}
          <textarea
            {...ids}
            ref={area}
            class={numbered ? 'm-code-edit' : 'control mono'}
            rows={numbered ? lines : rows}
            wrap={numbered ? 'off' : 'soft'}
            spellcheck={false}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

/** Selects the character at an offset. */
export function selectAt({ current }: RefObject<HTMLTextAreaElement | null>, offset: number): void {
  current?.focus();
  current?.setSelectionRange(offset, offset + 1);
}
