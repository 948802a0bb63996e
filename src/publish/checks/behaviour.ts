import type { Check } from './check.js';

export const behaviour: Check = {
  code: 'publish/behaviour',
  title: 'Behaviour',
  severity: 'error',
  summary: 'A person must verify that the integration does what its page promises.',
  run: () => ({
    evidence: 'Only a person can check whether the integration does what its page promises.',
    review: 'Install it, follow your own summary, and try each block, button and property.',
  }),
};
