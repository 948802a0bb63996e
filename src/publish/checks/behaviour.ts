import type { Check } from '../check.js';

export const behaviour: Check = {
  code: 'publish/behaviour',
  title: 'Behaviour',
  severity: 'error',
  summary: 'It does what its page promises, also beside other integrations.',
  look: () => ({
    evidence: 'What it is good for, and how it gets on with others, is for people to judge.',
    person: 'Install it for a colleague, follow your own summary, and press everything once.',
  }),
};
