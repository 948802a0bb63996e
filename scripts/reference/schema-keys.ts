import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { fieldsOf, limitsOf, typeOf, typesOf, type Field, type Schema } from './json-schema.js';
import { blocks, code, entries, fence, sentence } from './markdown.js';

export const readSchema = (name: string): Schema =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')) as Schema;

const shown = (value: unknown): string => (value === undefined ? '' : code(JSON.stringify(value)));

const fieldList = (fields: readonly Field[], root: Schema): string =>
  entries(
    fields.map(({ path, schema, required }) => [
      path,
      [
        typeOf(schema, root),
        limitsOf(schema),
        required ? 'required' : '',
        schema.default === undefined ? '' : `default: ${shown(schema.default)}`,
        assumed.test(path) ? 'assumed' : '',
      ],
      `${sentence(schema.description ?? schema.title ?? '')}${exampleOf(schema)}`,
    ]),
  );

/** Keys of the manifest that the platform's specification does not contain. */
const assumed =
  /^(?:target|contentSecurityPolicy|envs|contentSources|configurations\.space|configurations\.\w+\.componentId|blocks\[\]\.(?:icon|urlUnfurl|markdown))$/;

/** The rows below show what an object contains. */
const exampleOf = ({ type, examples: [first] = [] }: Schema): string =>
  type === 'object' || first === undefined ? '' : ` Example: ${shown(first)}`;

/** A section for each key of a file: its meaning, an example and the keys below it. */
export function keySections(root: Schema): string {
  const shownTypes = new Set<string>();
  const sections = Object.entries(root.properties ?? {}).map(([key, child]) => {
    const [own, ...below] = fieldsOf({ properties: { [key]: child }, required: root.required ?? [] }, root);
    if (!own) throw new Error(`${key} has no schema.`);
    const { schema, required } = own;
    const facts = [
      `Type: ${typeOf(schema, root)}`,
      limitsOf(schema),
      required ? 'required' : '',
      // A key that must be set has no default. Its `default` is what `validate --fix` adds.
      schema.default === undefined || required ? '' : `default: ${shown(schema.default)}`,
      assumed.test(key) ? 'assumed' : '',
    ];
    return blocks(
      `## ${key}`,
      sentence(schema.description ?? ''),
      `${facts.filter((fact) => fact !== '').join('; ')}.`,
      schema.examples
        ? fence('yaml', stringify({ [key]: schema.examples[0] }, { lineWidth: 0 }).trimEnd())
        : '',
      below.length > 0 ? fieldList(below, root) : '',
      ...typeTables(below, root, shownTypes),
    );
  });
  return blocks(...sections);
}

/** A table for each `type` that entries in these fields can have. Each table appears once per page. */
function typeTables(fields: readonly Field[], root: Schema, alreadyShown: Set<string>): string[] {
  return fields
    .flatMap(({ schema }) => [...(typesOf(schema, root) ?? [])])
    .flatMap(([type, variant]) => {
      const title = `### Type ${code(type)}`;
      if (alreadyShown.has(title)) return [];
      alreadyShown.add(title);
      return [title, sentence(variant.description ?? ''), fieldList(fieldsOf(variant, root), root)];
    });
}
