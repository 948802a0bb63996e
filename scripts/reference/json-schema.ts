import { code } from './markdown.js';

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema | boolean>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  examples?: unknown[];
  contentMediaType?: string;
}

export interface Field {
  path: string;
  schema: Schema;
  required: boolean;
}

/** The schema, with everything that it refers to in the same document. */
export function resolve(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  const name = $ref.replace('#/$defs/', '');
  const found = root.$defs?.[name];
  if (!found) throw new Error(`${$ref} is not in the schema.`);
  return { ...resolve(found, root), ...own };
}

/**
 * Lists every key below a schema with its path, such as `blocks[].urlUnfurl` or `configurations.<name>.type`.
 */
export function fieldsOf(schema: Schema, root: Schema, prefix = ''): Field[] {
  const whole = resolve(schema, root);
  const named = Object.entries(whole.properties ?? {}).flatMap(([key, child]) =>
    withChildren(`${prefix}${key}`, child, root, whole.required?.includes(key) ?? false),
  );
  const others =
    typeof whole.additionalProperties === 'object' && whole.additionalProperties !== null
      ? withChildren(`${prefix}<name>`, whole.additionalProperties, root, false)
      : [];
  // The row of a map of strings already says what its values are.
  const described = others.length > 1 || others[0]?.schema.description !== undefined;
  const variants = typesOf(whole, root) ? [] : [...(whole.oneOf ?? []), ...(whole.anyOf ?? [])];
  return unique([
    ...named,
    ...(described ? others : []),
    ...variants.flatMap((variant) => fieldsOf(variant, root, prefix)),
  ]);
}

/**
 * The variants of a schema by the value of their key `type`, such as the property types of a configuration.
 * Each has its own keys, so one table of all keys would be wrong for every type.
 */
export function typesOf(schema: Schema, root: Schema): Map<string, Schema> | undefined {
  const variants = resolve(schema, root).oneOf?.map((variant) => resolve(variant, root)) ?? [];
  const types = variants.map(({ properties }) => properties?.['type']?.const);
  if (types.length === 0 || !types.every((type) => typeof type === 'string')) return undefined;
  return new Map(types.map((type, index) => [type, variants[index] ?? {}]));
}

function withChildren(path: string, child: Schema, root: Schema, required: boolean): Field[] {
  const schema = resolve(child, root);
  const items = schema.items && resolve(schema.items, root);
  const below = items ? fieldsOf(items, root, `${path}[].`) : fieldsOf(schema, root, `${path}.`);
  return [{ path, schema, required }, ...below];
}

/** Variants may declare the same keys. */
function unique(fields: Field[]): Field[] {
  const seen = new Set<string>();
  return fields.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** The type as text: `string`, `"a" or "b"`, `list of strings`. */
export function typeOf(schema: Schema, root: Schema): string {
  const whole = resolve(schema, root);
  if (whole.const !== undefined) return code(JSON.stringify(whole.const));
  if (whole.enum) return whole.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (whole.contentMediaType !== undefined) return whole.contentMediaType;
  const variants = whole.oneOf ?? whole.anyOf;
  if (variants && !whole.type) return [...new Set(variants.map((one) => typeOf(one, root)))].join(' or ');
  const type = [whole.type ?? 'any value'].flat();
  return type.map((one) => (one === 'array' && whole.items ? listOf(whole.items, root) : one)).join(' or ');
}

function listOf(items: Schema, root: Schema): string {
  const type = typeOf(items, root);
  return `list of ${/^(array|boolean|integer|number|object|string)$/.test(type) ? `${type}s` : type}`;
}

/** The limits as text: `1 to 65535`, `at most 100 characters`. */
export function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (from: number | undefined, to: number | undefined, unit: string): string => {
    if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
    if (to !== undefined) return `at most ${to}${unit}`;
    return from !== undefined && from > 0 ? `at least ${from}${unit}` : '';
  };
  return [
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? 'not empty' : range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, minItems === 1 && maxItems === undefined ? ' entry' : ' entries'),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
