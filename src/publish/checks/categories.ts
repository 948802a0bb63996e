import type { Check } from '../check.js';

export const categories: Check = {
  code: 'publish/categories',
  title: 'Categories',
  severity: 'warning',
  summary: 'The marketplace knows in which category to list it.',
  run({ manifest }) {
    const { categories } = manifest.integration;
    if (categories.length > 0) return { evidence: `Listed under ${categories.join(', ')}.` };
    return {
      evidence: 'No category.',
      findings: [
        {
          message: 'The manifest has no category.',
          help: 'Add one of analytics, collaboration, content, marketing, authenticated-access, other.',
          path: ['categories'],
        },
      ],
    };
  },
};
