import type { Check } from '../check.js';

export const categories: Check = {
  code: 'publish/categories',
  title: 'Categories',
  severity: 'error',
  ofListing: true,
  summary: 'The marketplace knows where to list it.',
  look({ manifest }) {
    const { categories } = manifest.integration;
    if (categories.length > 0) return { evidence: `It is listed under ${categories.join(', ')}.` };
    return {
      evidence: 'There is none.',
      findings: [
        {
          message: 'No category is given.',
          help: 'Add one of analytics, collaboration, content, marketing, authenticated-access, other.',
          path: ['categories'],
        },
      ],
    };
  },
};
