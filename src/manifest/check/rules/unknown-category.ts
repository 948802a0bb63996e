import type { ManifestRule } from '../rule-context.js';
import { textsAt } from '../../../base/value-at-path.js';
import { suggestFree } from '../rule-support/suggest-fix.js';
import { showValue } from '../rule-support/list-in-words.js';

const categories = ['analytics', 'collaboration', 'content', 'marketing', 'authenticated-access', 'other'];

export const unknownCategory: ManifestRule = {
  code: 'manifest/unknown-category',
  severity: 'warning',
  summary: 'A category that the marketplace is not known to have.',
  *check({ value }) {
    const declared = textsAt(value, 'categories');
    const named = new Set(declared.map(({ text }) => text));
    for (const { text, index } of declared) {
      if (categories.includes(text)) continue;
      yield {
        message: `The category ${showValue(text)} is not one of those known.`,
        ...suggestFree(text, categories, (one) => named.has(one), {
          kind: 'replace',
          otherwise: `Known are ${categories.join(', ')}.`,
        }),
        path: ['categories', index],
      };
    }
  },
};
