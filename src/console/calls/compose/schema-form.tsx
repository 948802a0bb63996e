import type { JSX } from 'preact';
import { isRecord, readText, withValue, type Values } from '../../markup/read-markup.js';
import { Field } from '../../ui/form/field.js';
import { MarkdownView } from '../../text/markdown/markdown-view.js';
import { resolveSchema, type JsonSchema } from './event-schemas.js';

interface SchemaFormProps {
  schema: JsonSchema;
  value: Values;
  onChange: (value: Values) => void;
  /** Keys that someone else sets. */
  without?: readonly string[];
}

/** A form for an object of this schema; what has no field of its own is edited as JSON. */
export function SchemaForm({ schema, value, onChange, without = [] }: SchemaFormProps): JSX.Element {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !without.includes(name));
  return (
    <div class="stack schema-form">
      {properties.map(([name, property]) => (
        <SchemaField
          key={name}
          name={name}
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
  schema: JsonSchema;
  required: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}

function SchemaField({ name, schema, required, value, onChange }: SchemaFieldProps): JSX.Element | null {
  if (schema.const !== undefined) return null;
  if (schema.type === 'object' && schema.properties) {
    return (
      <fieldset class="schema-group">
        <legend class="field-label">{name}</legend>
        <SchemaForm schema={schema} value={isRecord(value) ? value : {}} onChange={onChange} />
      </fieldset>
    );
  }
  return (
    <Field
      label={name}
      hint={schema.description !== undefined && <MarkdownView source={schema.description} />}
      required={required}
    >
      {(ids) => {
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
                onChange(
                  event.currentTarget.value === '' && !required ? undefined : event.currentTarget.value,
                )
              }
            />
          );
        }
        return <JsonField ids={ids} value={value} onChange={onChange} />;
      }}
    </Field>
  );
}

interface JsonFieldProps {
  ids: { id: string; 'aria-describedby': string | undefined };
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Takes over what is typed whenever it is JSON. */
function JsonField({ ids, value, onChange }: JsonFieldProps): JSX.Element {
  const text = value === undefined ? '' : JSON.stringify(value, null, 2);
  return (
    <textarea
      {...ids}
      class="control mono"
      rows={Math.min(8, Math.max(2, text.split('\n').length))}
      spellcheck={false}
      defaultValue={text}
      onInput={(event) => {
        const typed = event.currentTarget.value;
        try {
          onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
          event.currentTarget.setCustomValidity('');
        } catch {
          event.currentTarget.setCustomValidity('This is not JSON yet.');
        }
      }}
    />
  );
}
