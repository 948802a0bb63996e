import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, valueAt } from '../../../base/value-at-path.js';
import { suggestFree } from '../rule-support/suggest-fix.js';
import { showValue } from '../rule-support/list-in-words.js';

export const unknownScope: ManifestRule = {
  code: 'manifest/unknown-scope',
  severity: 'error',
  summary: 'The manifest requests a scope that does not exist.',
  *check({ value, mistakes }) {
    const declared = new Set(listAt(value, 'scopes'));
    for (const { path, expected } of mistakes('manifest/unknown-scope')) {
      const known = [expected].flat().map(String);
      const found = String(valueAt(value, path));
      yield {
        message: `Unknown scope: ${showValue(found)}.`,
        ...suggestFree(found, known, (one) => declared.has(one), {
          kind: 'replace',
          otherwise: `Valid scopes: ${known.join(', ')}.`,
        }),
        path,
      };
    }
  },
};
