import { skipped, skippedWithoutRun, type Check } from '../check.js';
import { isRefusedApi, placeOf } from './place-of-cause.js';

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
      const { cause } = started;
      if (isRefusedApi(cause, submission)) return skipped('The script needs an API that production refuses.');
      const message = `The script does not start: ${cause.message}`;
      const help = 'Run "platform dev" to see the whole error.';
      return {
        evidence: 'It fails when it is loaded.',
        findings: [{ message, help, ...placeOf(cause, submission, path) }],
      };
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
