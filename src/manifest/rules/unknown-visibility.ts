import type { ManifestRule } from '../rule-context.js';
import { valueAt } from '../values.js';
import { suggest } from './suggestion.js';
import { alternatives, showValue } from './words.js';

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
