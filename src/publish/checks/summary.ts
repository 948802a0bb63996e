import type { Check } from '../check.js';
import { faultsInText } from './texts.js';

export const summary: Check = {
  code: 'publish/summary',
  title: 'Summary',
  severity: 'error',
  ofListing: true,
  summary: 'The installation page says what the integration does and how it is set up.',
  look({ manifest }) {
    const { summary } = manifest.integration;
    if (summary !== undefined) {
      return {
        evidence: `It has ${Array.from(summary).length} of at most 2048 characters.`,
        findings: faultsInText(summary, ['summary'], 25),
      };
    }
    return {
      evidence: 'There is none.',
      findings: [
        {
          message: 'There is no summary: the installation page would be empty.',
          help: 'Add one in Markdown, with what it does and how to set it up.',
          path: ['summary'],
        },
      ],
    };
  },
};
