import { readFileSync } from 'node:fs';
import { nearest } from '../../base/did-you-mean.js';
import { schemasFolder } from '../../base/package-files.js';
import { isObject } from '../http/read-json.js';
import { ownProperty } from '../../base/own-property.js';
import { validate, type SchemaError } from '../../protocol/generated/validate-event.js';

interface FieldSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, FieldSchema>;
  additionalProperties?: unknown;
  items?: FieldSchema;
  $defs?: Record<string, FieldSchema>;
}

export interface EventProblem {
  path: string;
  message: string;
  known?: readonly string[];
  /** The allowed name or value that was probably meant, if any. */
  meant?: string;
}

let schema: FieldSchema | undefined;

/**
 * Returns the problems in a hand-written event. Scripts accept unknown fields, but in a hand-written event, an unknown field
 * is probably a typo.
 */
export function findEventProblems(event: { type: string }): EventProblem[] {
  const root = readSchema();
  const unknown = search(event, root.$defs?.[event.type] ?? {}, root, []);
  if (unknown) {
    const { path, known } = unknown;
    const message = `${event.type} has no field ${path}.`;
    return [{ path, message, ...similar(path.split('.').at(-1), known) }];
  }
  return validate(event) ? [] : (validate.errors ?? []).map((error) => describe(error, event));
}

function describe({ instancePath, keyword, params, message }: SchemaError, event: object): EventProblem {
  const { missingProperty, allowedValues, type } = params;
  const parts = instancePath.split('/').slice(1);
  const value = parts.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
    event,
  );
  const path = [...parts, ...(typeof missingProperty === 'string' ? [missingProperty] : [])].join('.');
  if (missingProperty !== undefined) return { path, message: `${path} is missing.` };
  const given = JSON.stringify(value)?.slice(0, 60);
  if (Array.isArray(allowedValues)) {
    const known = allowedValues.map(String);
    const list = known.join(', ').replace(/, ([^,]*)$/, ' or $1');
    return { path, message: `${path} must be ${list}, not ${given}.`, ...similar(value, known) };
  }
  if (keyword === 'type')
    return { path, message: `${path} must be ${typeNames[String(type)] ?? String(type)}, not ${given}.` };
  if (keyword === 'minLength') return { path, message: `${path} must not be empty.` };
  return { path, message: `${path || 'The event'} ${message ?? 'is wrong'}.` };
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function similar(given: unknown, known: readonly string[]): Pick<EventProblem, 'known' | 'meant'> {
  const meant = typeof given === 'string' ? nearest(given, known) : undefined;
  return { known, ...(meant !== undefined && { meant }) };
}

/**
 * Converts a command-line value to the type of its field. For example, the value of `revisionId=42` stays a string, because
 * the field is a string.
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
): { path: string; known: string[] } | undefined {
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
