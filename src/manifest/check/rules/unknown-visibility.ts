import type { ManifestRule } from '../rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { suggest } from '../rule-support/suggest-fix.js';
import { alternatives, showValue } from '../rule-support/list-in-words.js';

export const unknownVisibility: ManifestRule = {
  code: 'manifest/unknown-visibility',
  severity: 'error',
  summary: 'The visibility is private, unlisted or public.',
  *check({ value, mistakes }) {
    for (const { path, expected } of mistakes('manifest/unknown-visibility')) {
      const known = [expected].flat().map(String);
      const found = valueAt(value, path);
      yield {
        message: `There is no visibility ${showValue(found)}; it is ${alternatives(known)}.`,
        ...suggest(String(found), known, {
          kind: 'replace',
          otherwise: 'Begin with private, and widen it later.',
        }),
        path,
      };
    }
  },
};
