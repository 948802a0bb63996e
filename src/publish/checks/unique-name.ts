import type { Check } from './check.js';

export const uniqueName: Check = {
  code: 'publish/unique-name',
  title: 'Unique name',
  severity: 'error',
  summary: 'Another integration may have the same name. Only the marketplace can check this.',
  run: ({ manifest }) => ({
    evidence: `Only the marketplace can check whether the name ${manifest.integration.name} is taken.`,
    review: 'Search the marketplace for this name before you submit.',
  }),
};
