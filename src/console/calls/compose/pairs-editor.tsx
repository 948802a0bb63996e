import type { JSX } from 'preact';
import type { Pair } from '../../../protocol/compose/call-draft.js';
import type { FieldProblem } from '../../../protocol/compose/request-problems.js';
import { Button } from '../../ui/button.js';
import { problemAt } from './field-problems.js';

interface PairsEditorProps {
  label: string;
  /** What a row contains, in the singular, such as `header` or `parameter`. */
  what: string;
  /** The field that contains the rows. Problems in a row have the path `<field>.<row>`. */
  field: string;
  pairs: readonly Pair[];
  problems?: readonly FieldProblem[];
  onChange: (pairs: Pair[]) => void;
}

/** Edits names and values in rows. The last row is always empty, for adding another pair. */
export function PairsEditor({
  label,
  what,
  field,
  pairs,
  problems = [],
  onChange,
}: PairsEditorProps): JSX.Element {
  const set = (row: number, pair: Pair): void =>
    onChange(row === pairs.length ? [...pairs, pair] : pairs.with(row, pair));
  return (
    <fieldset class="column gap-s pairs">
      <legend class="field-label">{label}</legend>
      {[...pairs, ['', ''] satisfies Pair].map(([name, value], row) => {
        const error = problemAt(problems, `${field}.${row}`);
        return (
          <div key={row}>
            <div class="bar">
              <input
                class="control compact mono"
                aria-label={`Name of ${what} ${row + 1}`}
                aria-invalid={error === undefined ? undefined : true}
                placeholder="name"
                spellcheck={false}
                value={name}
                onInput={(event) => set(row, [event.currentTarget.value, value])}
              />
              <input
                class="control compact mono grow"
                aria-label={`Value of ${what} ${row + 1}`}
                placeholder="value"
                spellcheck={false}
                value={value}
                onInput={(event) => set(row, [name, event.currentTarget.value])}
              />
              {row < pairs.length ? (
                <Button
                  kind="quiet"
                  size="small"
                  icon="cross"
                  label={`Remove ${what} ${row + 1}`}
                  onPress={() => onChange(pairs.toSpliced(row, 1))}
                />
              ) : (
                <span class="pairs-space" />
              )}
            </div>
            {error !== undefined && <p class="field-error">{error}</p>}
          </div>
        );
      })}
    </fieldset>
  );
}
