import { readFileSync } from 'node:fs';
import { isObject } from './read-json.js';

interface FieldSchema {
  $ref?: string;
  properties?: Record<string, FieldSchema>;
  additionalProperties?: unknown;
  $defs?: Record<string, FieldSchema>;
}

export interface UnknownField {
  path: string;
  known: string[];
}

let schema: FieldSchema | undefined;

/** Scripts take events with fields that nobody knows yet. Who makes one by hand has more likely mistyped it. */
export function findUnknownField(event: { type: string }): UnknownField | undefined {
  schema ??= JSON.parse(
    readFileSync(new URL('../../schemas/events.schema.json', import.meta.url), 'utf8'),
  ) as FieldSchema;
  return search(event, schema.$defs?.[event.type] ?? {}, schema, []);
}

function search(
  value: unknown,
  part: FieldSchema,
  root: FieldSchema,
  path: string[],
): UnknownField | undefined {
  const { properties, additionalProperties } = part.$ref ? resolve(part.$ref, root) : part;
  if (!isObject(value) || !properties) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const at = [...path, name];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!known && !additionalProperties) return { path: at.join('.'), known: Object.keys(properties) };
    const found = known && search(field, known, root, at);
    if (found) return found;
  }
  return undefined;
}

const resolve = (ref: string, root: FieldSchema): FieldSchema =>
  root.$defs?.[ref.replace('#/$defs/', '')] ?? {};
