import type { ManifestRule } from '../rule-support/rule-context.js';
import { reportRepeated } from '../rule-support/repeated-values.js';

export const duplicateScope: ManifestRule = {
  code: 'manifest/duplicate-scope',
  severity: 'warning',
  summary: 'A scope appears in the list twice.',
  check: ({ value }) => reportRepeated(value, 'scopes', 'scope'),
};
