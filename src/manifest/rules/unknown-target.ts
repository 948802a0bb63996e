import type { ManifestRule } from '../rule-context.js';
import { valueAt } from '../values.js';
import { suggest } from './suggestion.js';
import { alternatives, showValue } from './words.js';

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
