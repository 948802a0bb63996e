import { skippedWithoutRun, type Check } from '../check.js';

export const scriptStarts: Check = {
  code: 'publish/start',
  title: 'Start',
  severity: 'error',
  summary: 'The script starts within a second.',
  run(submission) {
    const { facts } = submission;
    if (!facts) return skippedWithoutRun(submission);
    const { started } = facts;
    const path = ['script'];
    if (!started.ok) {
      const message = `The script does not start: ${started.error}`;
      const help = 'Run "platform dev" to see where.';
      return { evidence: `It fails: ${started.error}`, findings: [{ message, help, path }] };
    }
    if (started.inTime) return { evidence: 'The script starts within a second.' };
    const message = 'The script takes more than a second to start.';
    const help = 'Move work from the top level of the script into handlers.';
    return {
      evidence: 'It takes longer than a second.',
      findings: [{ message, help, path, severity: 'warning' }],
    };
  },
};
