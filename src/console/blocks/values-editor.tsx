import type { JSX } from 'preact';
import { jsonProblem } from '../../base/text/json-problem.js';
import { useState } from 'preact/hooks';
import { withValue, type Values } from '../markup/basics/read-markup.js';
import { Button } from '../ui/button.js';
import { useDraft } from '../live/kept-drafts.js';
import { Segments } from '../ui/segments.js';
import { prettyJson } from '../text/format.js';
import { parseObject } from '../markup/basics/parse-object.js';
import { ValueField } from './value-field.js';

interface ValuesEditorProps {
  /** The id of the block that contains the values. */
  block: string;
  /** The labels for all values, for a single value and for no values. */
  words: { all: string; one: string; none: string };
  values: Values;
  /** Resolves once the component has been rendered with the values. */
  onChange: (values: Values) => Promise<void>;
}

export function ValuesEditor({ block, words, values: drawn, onChange }: ValuesEditorProps): JSX.Element {
  /** Values that are currently being sent to the script. */
  const [sent, setSent] = useState<Values>();
  const [raw, setRaw] = useDraft<string | undefined>(`${words.all} of ${block}`, undefined);
  const values = sent ?? drawn;
  const change = (next: Values): void => {
    setSent(next);
    void onChange(next).then(() => setSent((latest) => (latest === next ? undefined : latest)));
  };
  const without = (name: string): Values =>
    Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

  return (
    <div class="stack values-editor">
      <Segments
        label={`How to edit the ${words.all}`}
        value={raw === undefined ? 'form' : 'json'}
        options={[
          { value: 'form', name: 'Form' },
          { value: 'json', name: 'JSON' },
        ]}
        onChange={(mode) => setRaw(mode === 'json' ? prettyJson(values) : undefined)}
      />
      {raw === undefined ? (
        <>
          {Object.keys(values).length === 0 && <p class="quiet">{words.none}</p>}
          {Object.entries(values).map(([name, value]) => (
            <ValueField
              key={name}
              name={name}
              value={value}
              onChange={(next) => change({ ...values, [name]: next })}
              onRemove={() => change(without(name))}
            />
          ))}
          <AddValue
            draft={`new ${words.one} of ${block}`}
            one={words.one}
            taken={Object.keys(values)}
            onAdd={(name) => change(withValue(values, name, ''))}
          />
        </>
      ) : (
        <>
          <textarea
            class="control mono"
            aria-label={`The ${words.all} as JSON`}
            aria-invalid={parseObject(raw) ? undefined : true}
            rows={Math.min(24, Math.max(8, raw.split('\n').length + 1))}
            spellcheck={false}
            value={raw}
            onInput={(event) => {
              setRaw(event.currentTarget.value);
              const next = parseObject(event.currentTarget.value);
              if (next) change(next);
            }}
          />
          {!parseObject(raw) && <p class="field-error">Enter a valid JSON object. {placeOfProblem(raw)}</p>}
        </>
      )}
    </div>
  );
}

function placeOfProblem(text: string): string {
  const problem = jsonProblem(text);
  return problem ? `Line ${problem.line}, column ${problem.column}: ${problem.message}` : '';
}

interface AddValueProps {
  draft: string;
  one: string;
  taken: readonly string[];
  onAdd: (name: string) => void;
}

function AddValue({ draft, one, taken, onAdd }: AddValueProps): JSX.Element {
  const [name, setName] = useDraft(draft, '');
  const wanted = name.trim();
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(wanted);
        setName('');
      }}
    >
      <input
        type="text"
        class="control mono grow"
        aria-label={`Name of a new ${one}`}
        placeholder={`New ${one}`}
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Button icon="plus" submit disabled={wanted === '' || taken.includes(wanted)}>
        Add
      </Button>
    </form>
  );
}
