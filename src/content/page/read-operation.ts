import { readValues } from '../../manifest/index.js';
import type { ApiBody, ApiField, ApiOperation } from '../../protocol/page/page-tree.js';

type Values = Record<string, unknown>;

/** How deeply a schema is shown, and how many properties of an operation are. A schema may contain itself. */
const deepest = 6;
const mostFields = 500;
/** Schemas that consist of many others, which consist of many others, would never end. */
const mostSteps = 5000;
const longest = 1024 * 1024;
const places = ['Path', 'Query', 'Header', 'Cookie'];

/** Only the last one is kept, because the operations on a page mostly come from one file. */
let last: { text: string; spec: Values } | undefined;

/** Reads an API description in JSON or YAML. Returns undefined if it is neither. */
function readSpec(text: string): Values | undefined {
  if (text.length > longest) return undefined;
  if (last?.text === text) return last.spec;
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : readValues(text);
    last = { text, spec: valuesOf(value) };
    return last.spec;
  } catch {
    return undefined;
  }
}

/** Reads an operation from the text of an API description, or explains why it cannot be shown. */
export function readOperation(text: string, path: string, method: string): ApiOperation | string {
  const spec = readSpec(text);
  if (!spec) return 'This file is not valid YAML or JSON, or it is longer than 1 MB.';
  const reader = new OperationReader(spec);
  return reader.read(path, method) ?? `This file does not describe ${method.toUpperCase()} ${path}.`;
}

class OperationReader {
  readonly #spec: Values;
  #left = mostFields;
  #steps = mostSteps;

  constructor(spec: Values) {
    this.#spec = spec;
  }

  read(path: string, method: string): ApiOperation | undefined {
    const paths = valuesOf(this.#spec['paths']);
    const item = Object.hasOwn(paths, path) ? this.#resolve(paths[path]) : {};
    const name = method.toLowerCase();
    if (!Object.hasOwn(item, name)) return undefined;
    const operation = valuesOf(item[name]);
    const { summary, operationId, description, deprecated, requestBody, responses } = operation;
    const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((one) =>
      this.#resolve(one),
    );
    const groups: ApiBody[] = places.map((place) => ({
      title: `${place} parameters`,
      fields: parameters
        .filter((one) => one['in'] === place.toLowerCase())
        .map((one) => ({
          ...this.#field(textOf(one['name']), one['schema'], one['required'] === true),
          ...textIn(one),
        })),
    }));
    groups.unshift({ title: 'Authorization', fields: this.#authorization(operation) });
    groups.push(this.#body('Body', this.#resolve(requestBody)));
    return {
      method: name,
      path,
      server: textOf(valuesOf(listOf(this.#spec['servers'])[0])['url']).replace(/\/$/, ''),
      summary: textOf(summary) || textOf(operationId) || path,
      ...textIn({ description }),
      isDeprecated: deprecated === true,
      groups: groups.filter(({ fields, example }) => fields.length > 0 || example !== undefined),
      responses: Object.entries(valuesOf(responses)).map(([status, one]) =>
        this.#body(status, this.#resolve(one)),
      ),
    };
  }

  #authorization(operation: Values): ApiField[] {
    const [first] = listOf(operation['security'] ?? this.#spec['security']);
    const known = valuesOf(valuesOf(this.#spec['components'])['securitySchemes']);
    return Object.keys(valuesOf(first)).map((key) => {
      const { type, scheme, in: place, name } = this.#resolve(known[key]);
      return type === 'apiKey'
        ? { name: textOf(name), type: textOf(place), isRequired: true, notes: [], fields: [] }
        : { name: 'Authorization', type: textOf(scheme ?? type), isRequired: true, notes: [], fields: [] };
    });
  }

  /** Reads the body of a request or response, preferably its JSON. */
  #body(title: string, body: Values): ApiBody {
    const content = valuesOf(body['content']);
    const type = Object.keys(content).find((one) => one.includes('json')) ?? Object.keys(content)[0];
    const { schema, examples, ...media } = valuesOf(content[type ?? '']);
    // Comes before the example, which is less important if the schema is too complex.
    const fields = this.#fields(schema);
    const [named] = Object.values(valuesOf(examples)).map((one) => this.#resolve(one)['value']);
    const example = media['example'] ?? named ?? (schema === undefined ? undefined : this.#example(schema));
    return {
      title,
      ...(type !== undefined && { type }),
      ...textIn(body),
      fields,
      ...(example !== undefined && {
        example: typeof example === 'string' ? example : JSON.stringify(example, undefined, 2),
      }),
    };
  }

  #field(name: string, source: unknown, isRequired: boolean, above: readonly unknown[] = []): ApiField {
    const schema = this.#whole(source);
    const options = listOf(schema['enum']).map(shown).join(', ');
    const limits = ['minimum', 'maximum', 'maxLength', 'default'].flatMap((key) =>
      schema[key] === undefined
        ? []
        : [`${key === 'maxLength' ? 'maximum length' : key} ${shown(schema[key])}`],
    );
    return {
      name,
      type: this.#typeOf(source).slice(0, 200),
      isRequired,
      notes: options === '' ? limits : [`one of ${options}`, ...limits],
      ...textIn(schema),
      fields: this.#fields(source, above),
    };
  }

  #fields(source: unknown, above: readonly unknown[] = []): ApiField[] {
    const target = this.#resolve(source);
    const schema = this.#whole(source);
    if (above.length >= deepest || above.includes(target)) return [];
    const inside = [...above, target];
    if (schema['items'] !== undefined) return this.#fields(schema['items'], inside);
    const required = listOf(schema['required']);
    const properties = Object.entries(valuesOf(schema['properties']));
    return properties.flatMap(([name, one]) =>
      (this.#left -= 1) < 0 ? [] : [this.#field(name, one, required.includes(name), inside)],
    );
  }

  #typeOf(source: unknown, depth = 0): string {
    const { type, format, items, nullable, properties, ...schema } = this.#whole(source);
    const { $ref } = valuesOf(source);
    if (depth >= deepest) return '';
    if (items !== undefined) return `${this.#typeOf(items, depth + 1)}[]`;
    const variants = listOf(schema['oneOf'] ?? schema['anyOf']).map((one) => this.#typeOf(one, depth + 1));
    const plain =
      properties && typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : textOf(type) || 'any';
    const types = variants.length > 0 ? variants : Array.isArray(type) ? type.map(textOf) : [plain];
    return `${types.join(' | ')}${format === undefined ? '' : ` (${textOf(format)})`}${nullable === true ? ' | null' : ''}`;
  }

  #example(source: unknown, above: readonly unknown[] = []): unknown {
    const target = this.#resolve(source);
    const schema = this.#whole(source);
    const [given] = listOf(schema['examples']);
    const known =
      schema['example'] ?? given ?? schema['default'] ?? listOf(schema['enum'])[0] ?? schema['const'];
    if (known !== undefined || above.length >= deepest || above.includes(target)) return known;
    const inside = [...above, target];
    const [variant] = listOf(schema['oneOf'] ?? schema['anyOf']);
    if (variant !== undefined) return this.#example(variant, inside);
    if (schema['items'] !== undefined) {
      const item = this.#example(schema['items'], inside);
      return item === undefined ? [] : [item];
    }
    if (schema['properties'] !== undefined)
      return Object.fromEntries(
        Object.entries(valuesOf(schema['properties'])).flatMap(([name, one]) => {
          if ((this.#left -= 1) < 0) return [];
          const value = this.#example(one, inside);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    return placeholders[textOf(schema['type'])];
  }

  /** Returns a schema with what its `allOf` adds. */
  #whole(source: unknown, above: readonly unknown[] = []): Values {
    const schema = this.#resolve(source);
    const parts = listOf(schema['allOf']);
    if (parts.length === 0 || above.length >= deepest || above.includes(schema)) return schema;
    const all = [...parts.map((part) => this.#whole(part, [...above, schema])), schema];
    return {
      ...Object.assign({}, ...all),
      properties: Object.assign({}, ...all.map((one) => valuesOf(one['properties']))),
      required: all.flatMap((one) => listOf(one['required'])),
    };
  }

  /** Follows references inside the file. */
  #resolve(source: unknown): Values {
    if ((this.#steps -= 1) < 0) return {};
    let value = valuesOf(source);
    for (let hops = 0; hops < 10 && typeof value['$ref'] === 'string'; hops += 1) {
      const [start, ...keys] = value['$ref'].split('/');
      let found: unknown = start === '#' ? this.#spec : undefined;
      for (const key of keys.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~')))
        found = Object.hasOwn(valuesOf(found), key) ? valuesOf(found)[key] : undefined;
      value = valuesOf(found);
    }
    return value;
  }
}

const placeholders: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
};

const valuesOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Returns an object's description as its text. */
const textIn = ({ description }: Values): { text?: string } =>
  typeof description === 'string' && description !== '' ? { text: description } : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
