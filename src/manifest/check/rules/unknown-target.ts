import type { ManifestRule } from '../rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { suggest } from '../rule-support/suggest-fix.js';
import { alternatives, showValue } from '../rule-support/list-in-words.js';

export const unknownTarget: ManifestRule = {
  code: 'manifest/unknown-target',
  severity: 'error',
  summary: 'The target is all, site, space or organization.',
  *check({ value, mistakes }) {
    for (const { path, expected } of mistakes('manifest/unknown-target')) {
      const known = [expected].flat().map(String);
      const found = valueAt(value, path);
      yield {
        message: `There is no target ${showValue(found)}; it is ${alternatives(known)}.`,
        ...suggest(String(found), known, { kind: 'replace', otherwise: 'Leave the field out for all.' }),
        path,
      };
    }
  },
};
