import type { ManifestRule } from '../rule-support/rule-context.js';
import { textsAt } from '../../../base/value-at-path.js';
import { suggestFree } from '../rule-support/suggest-fix.js';
import { showValue } from '../rule-support/list-in-words.js';

const categories = ['analytics', 'collaboration', 'content', 'marketing', 'authenticated-access', 'other'];

export const unknownCategory: ManifestRule = {
  code: 'manifest/unknown-category',
  severity: 'warning',
  summary: 'A category is not in the list of known marketplace categories.',
  *check({ value }) {
    const declared = textsAt(value, 'categories');
    const named = new Set(declared.map(({ text }) => text));
    for (const { text, index } of declared) {
      if (categories.includes(text)) continue;
      yield {
        message: `The category ${showValue(text)} is not a known category.`,
        ...suggestFree(text, categories, (one) => named.has(one), {
          kind: 'replace',
          otherwise: `The known categories are ${categories.join(', ')}.`,
        }),
        path: ['categories', index],
      };
    }
  },
};
