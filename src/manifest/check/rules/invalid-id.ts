import type { ManifestRule } from '../rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { showPath, showValue } from '../rule-support/list-in-words.js';

export const invalidId: ManifestRule = {
  code: 'manifest/invalid-id',
  severity: 'error',
  summary: 'An id in the settings of the local platform is made of letters, digits, hyphens and underscores.',
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/invalid-id'))
      yield {
        message: `${showPath(path)} cannot be ${showValue(valueAt(value, path))}.`,
        help: 'Use letters, digits, hyphens and underscores, at most 100: the id stands in addresses.',
        path,
      };
  },
};
