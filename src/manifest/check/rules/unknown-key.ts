import type { ManifestRule } from '../rule-support/rule-context.js';
import { recordAt } from '../../../base/value-at-path.js';
import { suggestFree } from '../rule-support/suggest-fix.js';
import { showPath } from '../rule-support/list-in-words.js';

export const unknownKey: ManifestRule = {
  code: 'manifest/unknown-key',
  severity: 'error',
  summary: 'A key is not a valid field in this part of the manifest.',
  *check({ value, mistakes, guide }) {
    /** If two keys are misspellings of the same field, only one of them can be fixed. */
    const meant = new Set<string>();
    for (const { path, key = '' } of mistakes('manifest/unknown-key')) {
      const present = recordAt(value, ...path);
      const known = guide.keysAt(path, value);
      const { help, fix } = suggestFree(key, known, (field) => Object.hasOwn(present, field), {
        kind: 'rename',
        otherwise: `Its fields are ${known.join(', ')}. Start your own keys with x-.`,
      });
      const field = fix?.kind === 'rename' ? showPath([...path, fix.text]) : undefined;
      const first = field !== undefined && !meant.has(field);
      if (first) meant.add(field);
      yield {
        message: `Unknown field ${JSON.stringify(key)}${path.length > 0 ? ` in ${showPath(path)}` : ''}.`,
        help,
        path: [...path, key],
        at: 'key',
        ...(fix && first && { fix }),
      };
    }
  },
};
