import { valueAt } from '../../../base/value-at-path.js';
import type { ManifestContext, ManifestFinding } from './rule-context.js';
import { alternatives, showValue } from './list-in-words.js';
import { suggest } from './suggest-fix.js';

/** Reports values that are not in the schema's list for a field. */
export function* reportUnknownWord(
  { value, mistakes }: ManifestContext,
  code: string,
  { field, otherwise }: { field: string; otherwise: string },
): Iterable<ManifestFinding> {
  for (const { path, expected } of mistakes(code)) {
    const known = [expected].flat().map(String);
    const found = valueAt(value, path);
    yield {
      message: `The ${field} ${showValue(found)} does not exist. Use ${alternatives(known)}.`,
      ...suggest(String(found), known, { kind: 'replace', otherwise }),
      path,
    };
  }
}
