import type { JSX } from 'preact';
import { isRecord, readText, withValue, type Values } from '../../markup/basics/read-markup.js';
import { parseJson } from '../../../base/parse-json.js';
import type { FieldProblem } from '../../../protocol/compose/request-problems.js';
import type { FieldIds } from '../../ui/form/control-ids.js';
import { Field } from '../../ui/form/field.js';
import { problemAt } from './field-problems.js';
import { MarkdownView } from '../../text/markdown/markdown-view.js';
import { resolveSchema, type JsonSchema } from './event-schemas.js';

interface SchemaFormProps {
  schema: JsonSchema;
  value: Values;
  onChange: (value: Values) => void;
  /** Keys to leave out of the form, because they are set elsewhere. */
  without?: readonly string[];
  problems: readonly FieldProblem[];
  /** The path of the object within the event, such as `visitor.`. */
  prefix?: string;
}

/** A form for an object with this schema. Values without a control of their own are edited as JSON. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  const { schema, value, onChange, without = [], problems, prefix = '' } = props;
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !without.includes(name));
  return (
    <div class="stack">
      {properties.map(([name, property]) => (
        <SchemaField
          key={name}
          name={name}
          path={prefix + name}
          problems={problems}
          schema={resolveSchema(property)}
          required={schema.required?.includes(name) ?? false}
          value={value[name]}
          onChange={(next) =>
            onChange(
              next === undefined
                ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
                : withValue(value, name, next),
            )
          }
        />
      ))}
    </div>
  );
}

interface SchemaFieldProps {
  name: string;
  path: string;
  problems: readonly FieldProblem[];
  schema: JsonSchema;
  required: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}

function SchemaField(props: SchemaFieldProps): JSX.Element | null {
  const { name, path, problems, schema, required, value, onChange } = props;
  if (schema.const !== undefined) return null;
  if (schema.type === 'object' && schema.properties) {
    return (
      <fieldset class="schema-group">
        <legend class="field-label">{name}</legend>
        <SchemaForm
          schema={schema}
          value={isRecord(value) ? value : {}}
          onChange={onChange}
          problems={problems}
          prefix={`${path}.`}
        />
      </fieldset>
    );
  }
  return (
    <Field
      label={name}
      hint={schema.description !== undefined && <MarkdownView source={schema.description} />}
      required={required}
      error={problemAt(problems, path)}
    >
      {(ids) => <Control ids={ids} schema={schema} required={required} value={value} onChange={onChange} />}
    </Field>
  );
}

interface ControlProps extends Pick<SchemaFieldProps, 'schema' | 'required' | 'value' | 'onChange'> {
  ids: FieldIds;
}

function Control({ ids, schema, required, value, onChange }: ControlProps): JSX.Element {
  if (schema.enum) {
    return (
      <select
        {...ids}
        class="control"
        value={readText(value) ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      >
        {!required && <option value="">not set</option>}
        {schema.enum.map((one) => (
          <option key={String(one)} value={String(one)}>
            {String(one)}
          </option>
        ))}
      </select>
    );
  }
  if (schema.type === 'boolean') {
    return (
      <input
        {...ids}
        type="checkbox"
        class="tick"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return (
      <input
        {...ids}
        type="number"
        class="control"
        value={readText(value) ?? ''}
        onInput={(event) =>
          onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.valueAsNumber)
        }
      />
    );
  }
  if (schema.type === 'string') {
    return (
      <input
        {...ids}
        type="text"
        class="control"
        value={readText(value) ?? ''}
        onInput={(event) =>
          onChange(event.currentTarget.value === '' && !required ? undefined : event.currentTarget.value)
        }
      />
    );
  }
  return <JsonField ids={ids} value={value} onChange={onChange} />;
}

interface JsonFieldProps {
  ids: FieldIds;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Keeps invalid JSON as text, so that the platform can report what it expects. */
function JsonField({ ids, value, onChange }: JsonFieldProps): JSX.Element {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <textarea
      {...ids}
      class="control mono"
      rows={Math.min(8, Math.max(2, text.split('\n').length))}
      spellcheck={false}
      defaultValue={text}
      onInput={(event) => {
        const typed = event.currentTarget.value;
        onChange(typed.trim() === '' ? undefined : parseJson(typed, typed));
      }}
    />
  );
}
