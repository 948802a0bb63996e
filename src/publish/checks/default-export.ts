import { skippedWithoutRun, type Check } from './check.js';

export const defaultExport: Check = {
  code: 'publish/default-export',
  title: 'Entry',
  severity: 'error',
  summary: "The script's default export is not an integration.",
  run(submission) {
    const { facts } = submission;
    if (!facts?.started.ok) return skippedWithoutRun(submission);
    if (facts.isIntegration) return { evidence: 'The default export handles requests.' };
    return {
      evidence: 'The default export has no fetch().',
      findings: [
        {
          message: "The script's default export is not an integration.",
          help: 'End the script with "export default createIntegration({ … })".',
          path: ['script'],
        },
      ],
    };
  },
};
