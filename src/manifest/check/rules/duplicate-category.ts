import type { ManifestRule } from '../rule-support/rule-context.js';
import { reportRepeated } from '../rule-support/repeated-values.js';

export const duplicateCategory: ManifestRule = {
  code: 'manifest/duplicate-category',
  severity: 'warning',
  summary: 'A category appears in the list twice.',
  check: ({ value }) => reportRepeated(value, 'categories', 'category'),
};
