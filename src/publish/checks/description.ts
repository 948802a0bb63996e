import type { Check } from '../check.js';
import { faultsInText } from './texts.js';

export const description: Check = {
  code: 'publish/description',
  title: 'Description',
  severity: 'error',
  ofListing: true,
  summary: 'The description says what the integration does.',
  look({ manifest }) {
    const { description } = manifest.integration;
    return {
      evidence: `It has ${Array.from(description).length} characters.`,
      findings: faultsInText(description, ['description'], 12),
    };
  },
};
