import { readFileSync } from 'node:fs';
import { ruleRegistry } from '../../src/cli/context/rule-registry.js';
import { parse } from 'yaml';
import { fieldsOf, limitsOf, typeOf, type Field, type Schema } from './json-schema.js';
import { blocks, code, fence, sentence, table } from './markdown.js';

export const readSchema = (name: string): Schema =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')) as Schema;

const shown = (value: unknown): string => (value === undefined ? '' : code(JSON.stringify(value)));

export const fieldTable = (fields: readonly Field[], root: Schema): string =>
  table(
    ['key', 'type', 'required', 'default', 'meaning', 'example'],
    fields.map(({ path, schema, required }) => [
      code(path),
      [typeOf(schema, root), limitsOf(schema)].filter((part) => part !== '').join('; '),
      required ? 'yes' : '',
      shown(schema.default),
      sentence(schema.description ?? schema.title ?? ''),
      shown(schema.examples?.[0]),
    ]),
  );

/** The codes whose page has an example with this key. */
function problemsByKey(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { code: name, page = '' } of ruleRegistry) {
    const wrong = /Wrong:\n\n```yaml\n([^]*?)```/.exec(page)?.[1];
    if (wrong === undefined || !name.startsWith('manifest/')) continue;
    for (const key of topLevelKeys(wrong)) found.set(key, [...(found.get(key) ?? []), name]);
  }
  return found;
}

function topLevelKeys(text: string): string[] {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/**
 * A section for each key of a file: its meaning, an example, the keys below it, and the problems that a check
 * can report.
 */
export function keySections(root: Schema): string {
  const problems = problemsByKey();
  const sections = Object.entries(root.properties ?? {}).map(([key, child]) => {
    const [own, ...below] = fieldsOf({ properties: { [key]: child }, required: root.required ?? [] }, root);
    if (!own) throw new Error(`${key} has no schema.`);
    const { schema, required } = own;
    const facts = [
      `Type: ${typeOf(schema, root)}`,
      limitsOf(schema),
      required ? 'required' : '',
      schema.default === undefined ? '' : `default: ${shown(schema.default)}`,
    ];
    const codes = problems.get(key) ?? [];
    return blocks(
      `## ${key}`,
      sentence(schema.description ?? ''),
      `${facts.filter((fact) => fact !== '').join('; ')}.`,
      schema.examples ? fence('yaml', `${key}: ${JSON.stringify(schema.examples[0])}`) : '',
      below.length > 0 ? fieldTable(below, root) : '',
      codes.length > 0 ? `Problems: ${codes.map(problemLink).join(', ')}.` : '',
    );
  });
  return blocks(...sections);
}

export const problemLink = (name: string): string => `[${name}](../${name}.md)`;
