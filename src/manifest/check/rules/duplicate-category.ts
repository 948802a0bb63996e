import type { ManifestRule } from '../rule-context.js';
import { textsAt } from '../../../base/value-at-path.js';
import { findRepeated } from '../rule-support/repeated-values.js';

export const duplicateCategory: ManifestRule = {
  code: 'manifest/duplicate-category',
  severity: 'warning',
  summary: 'A category stands in the list twice.',
  *check({ value }) {
    for (const { text, index } of findRepeated(textsAt(value, 'categories')))
      yield {
        message: `The category ${text} stands in the list already.`,
        help: 'Remove this one.',
        path: ['categories', index],
        fix: { kind: 'remove' },
      };
  },
};
