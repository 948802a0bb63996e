import type { JSX } from 'preact';
import { Field } from '../../ui/form/field.js';
import { JsonEditor } from '../../ui/form/json-editor.js';
import { Segments } from '../../ui/segments.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import type { BodyKind, ChosenFile, ComposedRequest } from './composed-call.js';
import { PairsEditor } from './pairs-editor.js';

interface BodyEditorProps {
  body: ComposedRequest['body'];
  error: string | undefined;
  onChange: (body: ComposedRequest['body']) => void;
}

const kinds: readonly { value: BodyKind; name: string }[] = [
  { value: 'none', name: 'None' },
  { value: 'text', name: 'Text' },
  { value: 'json', name: 'JSON' },
  { value: 'form', name: 'Form' },
  { value: 'file', name: 'File' },
];

export function BodyEditor({ body, error, onChange }: BodyEditorProps): JSX.Element {
  const { kind, text, form, file } = body;
  return (
    <div class="stack">
      <div>
        <p class="field-label">Body</p>
        <Segments
          label="Body type"
          value={kind}
          options={kinds}
          onChange={(next) => onChange({ ...body, kind: next })}
        />
      </div>
      {kind === 'json' && (
        <JsonEditor
          label="Body as JSON"
          rows={8}
          value={text}
          error={error}
          onChange={(next) => onChange({ ...body, text: next })}
        />
      )}
      {kind === 'text' && (
        <Field label="Body as text" hideLabel error={error}>
          {(ids) => (
            <textarea
              {...ids}
              class="control mono"
              rows={8}
              spellcheck={false}
              value={text}
              onInput={(event) => onChange({ ...body, text: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {kind === 'form' && (
        <PairsEditor
          label="Form fields"
          what="field"
          field="form"
          pairs={form}
          onChange={(next) => onChange({ ...body, form: next })}
        />
      )}
      {kind === 'file' && (
        <Field
          label="File"
          hint={file && `${file.name}, ${formatBytes(Math.floor((file.content.length * 3) / 4))}`}
          error={error}
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              class="control"
              onChange={(event) => {
                const [chosen] = event.currentTarget.files ?? [];
                if (chosen) void readFile(chosen).then((read) => onChange({ ...body, file: read }));
              }}
            />
          )}
        </Field>
      )}
      {kind === 'none' && error !== undefined && <p class="field-error">{error}</p>}
    </div>
  );
}

async function readFile(file: File): Promise<ChosenFile> {
  let binary = '';
  for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCodePoint(byte);
  return { name: file.name, type: file.type, content: btoa(binary) };
}
