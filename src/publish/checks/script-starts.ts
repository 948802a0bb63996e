import type { ThrownError } from '../../base/text/thrown-error.js';
import { skipped, skippedWithoutRun, type Check, type PublishFinding } from './check.js';
import { isRefusedApi, nonPortableAt, positionOf } from './position-of-cause.js';

export const scriptStarts: Check = {
  code: 'publish/start',
  title: 'Start',
  severity: 'error',
  summary: 'The script fails to start, or takes longer than a second to start.',
  run(submission) {
    const { facts } = submission;
    if (!facts) return skippedWithoutRun(submission);
    const { started } = facts;
    const path = ['script'];
    if (!started.ok) {
      const { cause } = started;
      if (isRefusedApi(cause, submission)) return skipped('The script needs an API that production blocks.');
      return {
        evidence: 'The script fails to load.',
        findings: [
          {
            message: `The script does not start: ${inItsPackage(cause)}`,
            help: nonPortableAt(cause, submission)?.help ?? 'Run "platform dev" to see the full error.',
            ...positionOf(cause, submission, path),
          },
        ],
      };
    }
    const { inTime, later } = started;
    const findings: PublishFinding[] = [];
    if (later && !isRefusedApi(later, submission))
      findings.push({
        message: `The script starts, but code at its top level fails later: ${later.message}`,
        help: 'Move this code into a handler.',
        severity: 'warning',
        ...positionOf(later, submission, path),
      });
    if (!inTime)
      findings.push({
        message: 'The script takes more than a second to start.',
        help: 'Move slow code from the top level of the script into handlers.',
        severity: 'warning',
        path,
      });
    return {
      evidence: inTime
        ? 'The script starts within a second.'
        : 'The script takes longer than a second to start.',
      findings,
    };
  },
};

const inItsPackage = ({ message, package: name }: ThrownError): string =>
  name === undefined || message.includes(name) ? message : `${message} (in the package ${name})`;
