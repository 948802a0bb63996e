import type { ManifestRule } from '../rule-context.js';
import { textAt } from '../../../base/value-at-path.js';

export const summaryLength: ManifestRule = {
  code: 'manifest/summary-length',
  severity: 'error',
  summary: 'The summary has at most 2048 characters.',
  *check({ value, mistakes }) {
    for (const { path, expected } of mistakes('manifest/summary-length')) {
      const limit = Number(expected);
      const length = Array.from(textAt(value, ...path) ?? '').length;
      yield {
        message: `The summary has ${length} characters, ${length - limit} more than the ${limit} allowed.`,
        help: 'Shorten it; details belong in documentation that externalLinks can name.',
        path,
        at: 'key',
      };
    }
  },
};
