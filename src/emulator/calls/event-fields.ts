import { readFileSync } from 'node:fs';
import { schemasFolder } from '../../base/package-files.js';
import { isObject } from '../http/read-json.js';
import { ownProperty } from '../../base/own-property.js';

interface FieldSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, FieldSchema>;
  additionalProperties?: unknown;
  items?: FieldSchema;
  $defs?: Record<string, FieldSchema>;
}

export interface UnknownField {
  path: string;
  known: string[];
}

let schema: FieldSchema | undefined;

/**
 * Scripts accept events with unknown fields. In an event that was written by hand, an unknown field is more
 * likely a typo.
 */
export function findUnknownField(event: { type: string }): UnknownField | undefined {
  const root = readSchema();
  return search(event, root.$defs?.[event.type] ?? {}, root, []);
}

/**
 * Converts a value from the command line to the type of its field: `revisionId=42` stays text, because that
 * field is text.
 */
export function fitField(type: string, path: string, value: unknown): unknown {
  if (typeof value !== 'number' && typeof value !== 'boolean') return value;
  const root = readSchema();
  let part = root.$defs?.[type] ?? {};
  for (const key of path.split('.')) {
    const { properties = {}, additionalProperties, items } = follow(part, root);
    const known = Object.hasOwn(properties, key) ? properties[key] : (items ?? additionalProperties);
    part = isObject(known) ? known : {};
  }
  return follow(part, root).type === 'string' ? String(value) : value;
}

const readSchema = (): FieldSchema =>
  (schema ??= JSON.parse(readFileSync(new URL('events.schema.json', schemasFolder), 'utf8')) as FieldSchema);

function search(
  value: unknown,
  part: FieldSchema,
  root: FieldSchema,
  path: string[],
): UnknownField | undefined {
  const { properties, additionalProperties, items } = follow(part, root);
  if (Array.isArray(value) && items) {
    for (const [index, item] of value.entries()) {
      const found = search(item, items, root, [...path, String(index)]);
      if (found) return found;
    }
  }
  if (!isObject(value) || !properties) return undefined;
  for (const [name, field] of Object.entries(value)) {
    const at = [...path, name];
    const known = ownProperty(properties, name);
    if (!known && !additionalProperties) return { path: at.join('.'), known: Object.keys(properties) };
    const found = known && search(field, known, root, at);
    if (found) return found;
  }
  return undefined;
}

const follow = (part: FieldSchema, root: FieldSchema): FieldSchema =>
  part.$ref ? (root.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {}) : part;
