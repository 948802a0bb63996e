import type { JSX, RefObject } from 'preact';
import { Icon } from '../icon.js';
import { Field } from './field.js';
import type { Line } from './fold-text.js';

interface CodeFieldProps {
  label: string;
  rows: number;
  value: string;
  error?: string | undefined;
  /** The numbers of the lines, which are then not wrapped. */
  lines?: readonly Line[];
  /** Folds or opens what begins on a line. */
  onFold?: (index: number) => void;
  /** The number of a line to mark. */
  wrongLine?: number | undefined;
  area: RefObject<HTMLTextAreaElement | null>;
  onChange: (value: string) => void;
}

/** A text field for code. Pass its `area` to `selectAt` to show a place in it. */
export function CodeField(props: CodeFieldProps): JSX.Element {
  const { label, rows, value, error, lines, onFold, wrongLine, area, onChange } = props;
  return (
    <Field label={label} hideLabel error={error}>
      {(ids) => (
        <div class={lines ? 'control m-code-editor' : undefined} dir="ltr">
          <textarea
            {...ids}
            ref={area}
            class={lines ? 'm-code-edit' : 'control mono'}
            rows={lines ? Math.max(rows, lines.length) : rows}
            wrap={lines ? 'off' : 'soft'}
            spellcheck={false}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          {lines && (
            <div class="m-code-gutter">
              {lines.map(({ number, fold }, index) => (
                <div key={index} class={number === wrongLine ? 'wrong-line' : undefined}>
                  {fold && (
                    <button
                      type="button"
                      class="m-code-fold"
                      aria-label={`${fold === 'open' ? 'Fold' : 'Open'} line ${number}`}
                      aria-expanded={fold === 'open'}
                      onClick={() => onFold?.(index)}
                    >
                      <Icon name={fold === 'open' ? 'down' : 'right'} size={12} />
                    </button>
                  )}
                  <span aria-hidden="true">{number}</span>
                </div>
              ))}
            </div>
          )}
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
