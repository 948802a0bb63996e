import type { ManifestFinding, ManifestRule } from '../rule-support/rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { alternatives, showPath, showValue } from '../rule-support/list-in-words.js';

const names: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
};

export const wrongType: ManifestRule = {
  code: 'manifest/wrong-type',
  severity: 'error',
  summary: 'A value has the wrong type, such as a number instead of a string.',
  *check({ value, mistakes }) {
    for (const { path, expected } of mistakes('manifest/wrong-type')) {
      const types = [expected].flat().map(String);
      const found = valueAt(value, path);
      yield describeType(path, types, found);
    }
  },
};

export function describeType(
  path: readonly (string | number)[],
  types: readonly string[],
  found: unknown,
): ManifestFinding {
  const wanted = alternatives(types.map((type) => names[type] ?? type));
  const where = showPath(path);
  if (found === null)
    return { message: `${where} has no value; it must be ${wanted}.`, help: helpFor(types), path };
  const shown = path.includes('secrets') && typeof found === 'string' ? 'text' : showValue(found);
  const message = `${where} must be ${wanted}, not ${shown}.`;
  const scalar = typeof found === 'number' || typeof found === 'boolean';
  if (types.includes('string') && scalar)
    return { message, help: 'Put it in quotes.', path, fix: { kind: 'quote' } };
  // In YAML, numbers can also be .inf and .nan.
  const help = typeof found === 'number' && !Number.isFinite(found) ? 'Use a finite number.' : helpFor(types);
  return { message, help, path };
}

function helpFor(types: readonly string[]): string {
  if (types.includes('array')) return 'Write one entry per line, indented and with a hyphen: `- entry`.';
  if (types.includes('object')) return 'Write one field per line, indented: `key: value`.';
  if (types.includes('boolean')) return 'Use true or false, without quotes.';
  if (types.includes('number') || types.includes('integer')) return 'Write the number without quotes.';
  return 'Use a string. Quote it if it looks like another type.';
}
