import type { Check } from '../check.js';

export const uniqueName: Check = {
  code: 'publish/unique-name',
  title: 'Unique name',
  severity: 'error',
  summary: 'No other integration has the name.',
  run: ({ manifest }) => ({
    evidence: `Only the marketplace knows whether another integration is called ${manifest.integration.name}.`,
    review: 'Search the marketplace for it before you submit.',
  }),
};
