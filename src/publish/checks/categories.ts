import type { Check } from './check.js';

export const categories: Check = {
  code: 'publish/categories',
  title: 'Categories',
  severity: 'warning',
  summary: 'The manifest has no category for the marketplace.',
  run({ manifest }) {
    const { categories } = manifest.integration;
    if (categories.length > 0) return { evidence: `Listed under ${categories.join(', ')}.` };
    return {
      evidence: 'None.',
      findings: [
        {
          message: 'The manifest has no category.',
          help: 'Add at least one of: analytics, collaboration, content, marketing, authenticated-access, other.',
          path: ['categories'],
        },
      ],
    };
  },
};
