import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ComponentSession } from '../markup/component-session.js';
import { withValue, type Values } from '../markup/read-markup.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { useDraft } from '../ui/form/kept-drafts.js';
import { Segments } from '../ui/segments.js';
import { prettyJson } from '../text/format.js';
import { parseObject } from '../text/parse-object.js';
import { PropField } from './prop-field.js';

interface PropsEditorProps {
  /** Its id. */
  block: string;
  session: ComponentSession;
}

/** The component's props as a form or as JSON: each change draws it anew, and the block keeps them. */
export function PropsEditor({ block, session }: PropsEditorProps): JSX.Element {
  const { props: drawn } = useCell(session.view);
  /** On their way to the script. */
  const [sent, setSent] = useState<Values>();
  const [raw, setRaw] = useDraft<string | undefined>(`props of ${block}`, undefined);
  const props = sent ?? drawn;
  const change = (next: Values): void => {
    setSent(next);
    void session.redraw(next).then(() => setSent((latest) => (latest === next ? undefined : latest)));
  };
  const without = (name: string): Values =>
    Object.fromEntries(Object.entries(props).filter(([key]) => key !== name));

  return (
    <div class="stack props-editor">
      <Segments
        label="How to edit the props"
        value={raw === undefined ? 'form' : 'json'}
        options={[
          { value: 'form', name: 'Form' },
          { value: 'json', name: 'JSON' },
        ]}
        onChange={(mode) => setRaw(mode === 'json' ? prettyJson(props) : undefined)}
      />
      {raw === undefined ? (
        <>
          {Object.keys(props).length === 0 && (
            <p class="quiet">
              The block has no props yet. Add one that the component reads, or write them all as JSON.
            </p>
          )}
          {Object.entries(props).map(([name, value]) => (
            <PropField
              key={name}
              name={name}
              value={value}
              onChange={(next) => change({ ...props, [name]: next })}
              onRemove={() => change(without(name))}
            />
          ))}
          <AddProp
            block={block}
            taken={Object.keys(props)}
            onAdd={(name) => change(withValue(props, name, ''))}
          />
        </>
      ) : (
        <>
          <textarea
            class="control mono"
            aria-label="The props as JSON"
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
          {!parseObject(raw) && <p class="field-error">This is not a JSON object yet.</p>}
        </>
      )}
    </div>
  );
}

interface AddPropProps {
  block: string;
  taken: readonly string[];
  onAdd: (name: string) => void;
}

function AddProp({ block, taken, onAdd }: AddPropProps): JSX.Element {
  const [name, setName] = useDraft(`new prop of ${block}`, '');
  const wanted = name.trim();
  return (
    <form
      class="row add-prop"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(wanted);
        setName('');
      }}
    >
      <input
        type="text"
        class="control mono compact grow"
        aria-label="Name of a new prop"
        placeholder="New prop"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Button size="small" icon="plus" submit disabled={wanted === '' || taken.includes(wanted)}>
        Add
      </Button>
    </form>
  );
}
