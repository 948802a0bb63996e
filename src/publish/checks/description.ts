import type { Check } from './check.js';
import { faultsInText } from './texts.js';

export const description: Check = {
  code: 'publish/description',
  title: 'Description',
  severity: 'warning',
  summary: 'The description is a placeholder, copied from a template, or too short.',
  run({ manifest }) {
    const { description } = manifest.integration;
    return {
      evidence: `${Array.from(description).length} characters.`,
      findings: faultsInText(description, ['description'], 12),
    };
  },
};
