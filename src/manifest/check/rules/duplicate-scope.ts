import type { ManifestRule } from '../rule-context.js';
import { textsAt } from '../../../base/value-at-path.js';
import { findRepeated } from '../rule-support/repeated-values.js';

export const duplicateScope: ManifestRule = {
  code: 'manifest/duplicate-scope',
  severity: 'warning',
  summary: 'A scope stands in the list twice.',
  *check({ value }) {
    for (const { text, index } of findRepeated(textsAt(value, 'scopes')))
      yield {
        message: `The scope ${text} stands in the list already.`,
        help: 'Remove this one.',
        path: ['scopes', index],
        fix: { kind: 'remove' },
      };
  },
};
