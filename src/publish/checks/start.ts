import type { Check } from '../check.js';

export const start: Check = {
  code: 'publish/start',
  title: 'Start',
  severity: 'error',
  summary: 'The script starts within a second.',
  look({ facts }) {
    if (!facts)
      return { evidence: 'It was not started, as it does not build.', person: 'Make it build first.' };
    const { started } = facts;
    const path = ['script'];
    if (!started.ok) {
      const message = `The script does not start: ${started.error}`;
      const help = 'Run "platform dev" to see where.';
      return { evidence: `It fails: ${started.error}`, findings: [{ message, help, path }] };
    }
    if (started.inTime) return { evidence: 'It starts within a second.' };
    const message = 'The script takes more than a second to start.';
    const help = 'Do at the first request what it does while it is loaded.';
    return { evidence: 'It takes longer than a second.', findings: [{ message, help, path }] };
  },
};
