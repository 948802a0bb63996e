import type { Check } from '../check.js';
import { notRun } from './not-run.js';

export const defaultExport: Check = {
  code: 'publish/default-export',
  title: 'Entry',
  severity: 'error',
  summary: 'The default export of the script is an integration.',
  look({ facts }) {
    if (!facts?.started.ok) return notRun;
    if (facts.isIntegration) return { evidence: 'The default export answers requests.' };
    return {
      evidence: 'The default export has no fetch().',
      findings: [
        {
          message: 'The default export of the script is no integration.',
          help: 'End it with "export default createIntegration({ … })".',
          path: ['script'],
        },
      ],
    };
  },
};
