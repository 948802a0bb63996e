import type { ManifestRule } from '../rule-support/rule-context.js';
import { textAt } from '../../../base/value-at-path.js';

export const summaryLength: ManifestRule = {
  code: 'manifest/summary-length',
  severity: 'error',
  summary: 'The summary has more than 2048 characters.',
  *check({ value, mistakes }) {
    for (const { path, expected } of mistakes('manifest/summary-length')) {
      const limit = Number(expected);
      const length = Array.from(textAt(value, ...path) ?? '').length;
      yield {
        message: `The summary has ${length} characters, ${length - limit} more than the ${limit} allowed.`,
        help: 'Shorten it, and move details to documentation that externalLinks points to.',
        path,
        at: 'key',
      };
    }
  },
};
