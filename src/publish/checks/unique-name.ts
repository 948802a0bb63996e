import type { Check } from '../check.js';

export const uniqueName: Check = {
  code: 'publish/unique-name',
  title: 'Uniqueness',
  severity: 'error',
  summary: 'No other integration has the name.',
  look: ({ manifest }) => ({
    evidence: `Only the platform knows whether another integration is called ${manifest.integration.name}.`,
    person: 'Look it up in the marketplace before you submit.',
  }),
};
