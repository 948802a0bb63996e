import type { Check } from './check.js';
import { faultsInText } from './texts.js';

export const summary: Check = {
  code: 'publish/summary',
  title: 'Summary',
  severity: 'warning',
  summary: 'The summary is missing, copied from a template, or too short.',
  run({ manifest }) {
    const { summary } = manifest.integration;
    if (summary !== undefined) {
      return {
        evidence: `${Array.from(summary).length} of at most 2048 characters.`,
        findings: faultsInText(summary, ['summary'], 25),
      };
    }
    return {
      evidence: 'None.',
      findings: [
        {
          message: 'The manifest has no summary, so the installation page is empty.',
          help: 'Add a summary in Markdown that explains what the integration does and how to set it up.',
          path: ['summary'],
        },
      ],
    };
  },
};
