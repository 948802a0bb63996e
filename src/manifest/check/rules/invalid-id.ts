import type { ManifestRule } from '../rule-support/rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { showPath, showValue } from '../rule-support/list-in-words.js';

export const invalidId: ManifestRule = {
  code: 'manifest/invalid-id',
  severity: 'error',
  summary:
    'An id in platform.dev.yaml contains characters other than letters, digits, hyphens and underscores.',
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/invalid-id'))
      yield {
        message: `${showPath(path)} cannot be ${showValue(valueAt(value, path))}.`,
        help: 'Use at most 100 letters, digits, hyphens and underscores, because the id is part of URLs.',
        path,
      };
  },
};
