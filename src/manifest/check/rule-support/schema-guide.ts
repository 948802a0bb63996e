import { readFileSync } from 'node:fs';
import { schemasFolder } from '../../../base/package-files.js';
import { isRecord, recordAt, textAt } from '../../../base/value-at-path.js';

/** What the schema says about a path. The schema is read only when it is needed. */
export type SchemaGuide = ReturnType<typeof createSchemaGuide>;

type Schema = Record<string, unknown>;

export function createSchemaGuide(file: URL) {
  let loaded: Schema | undefined;
  const root = (): Schema => (loaded ??= JSON.parse(readFileSync(file, 'utf8')) as Schema);

  const resolve = (schema: unknown, value: unknown): Schema => {
    if (!isRecord(schema)) return {};
    const reference = textAt(schema, '$ref');
    const target = reference ? recordAt(root(), ...reference.slice(2).split('/')) : {};
    const whole = { ...target, ...schema };
    const branches = Array.isArray(whole['oneOf']) ? whole['oneOf'] : [];
    const candidates = branches.map((branch) => resolve(branch, undefined));
    const type = recordAt(value)['type'];
    const chosen = candidates.find((one) => recordAt(one, 'properties', 'type')['const'] === type);
    if (chosen) return chosen;
    const properties = candidates.map((one) => recordAt(one, 'properties'));
    return branches.length > 0 ? { ...whole, properties: Object.assign({}, ...properties) } : whole;
  };

  const find = (path: readonly (string | number)[], value: unknown): Schema => {
    let schema = resolve(root(), value);
    let current = value;
    for (const part of path) {
      current = isRecord(current) || Array.isArray(current) ? Reflect.get(current, part) : undefined;
      const properties = recordAt(schema, 'properties');
      const next =
        typeof part === 'number'
          ? schema['items']
          : Object.hasOwn(properties, part)
            ? properties[part]
            : schema['additionalProperties'];
      schema = resolve(next, current);
    }
    return schema;
  };

  return {
    keysAt: (path: readonly (string | number)[], value: unknown) =>
      Object.keys(recordAt(find(path, value), 'properties')),
    exampleAt(path: readonly (string | number)[], value: unknown) {
      const schema = find(path, value);
      const [example] = Array.isArray(schema['examples']) ? schema['examples'] : [];
      return schema['default'] ?? example;
    },
  };
}

export const manifestGuide = createSchemaGuide(new URL('platform-manifest.schema.json', schemasFolder));
