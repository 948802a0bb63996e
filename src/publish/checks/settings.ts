import { sectionsOf } from '../probe/sections.js';
import type { ThrownError } from '../../base/text/thrown-error.js';
import type { Submission } from '../submission/submission.js';
import { skipped, skippedWithoutRun, type Check, type PublishFinding } from '../check.js';
import { isRefusedApi, placeOf } from './place-of-cause.js';

export const settings: Check = {
  code: 'publish/settings',
  title: 'Configuration',
  severity: 'error',
  summary: 'The setup handlers run, and an installation becomes active once every required property is set.',
  run(submission) {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const { configurations } = manifest.integration;
    const sections = sectionsOf(manifest.integration).flatMap((section) => {
      const required = configurations[section]?.required ?? [];
      const status = facts.statuses[section];
      return required.length === 0 || status === undefined ? [] : [{ section, required, status }];
    });
    const { problem, blocked } = facts.setup;
    const offline = problem !== undefined && blocked.length > 0;
    if (sections.length === 0 && !problem) return skipped('No property is required.');
    return {
      evidence:
        sections
          .map(({ required, status }) => `With ${required.join(', ')} set, the installation is ${status}.`)
          .join(' ') || 'No property is required.',
      findings: [
        ...sections.filter(({ status }) => status !== 'active').map(stuck),
        ...(problem && !offline && !isRefusedApi(problem, submission) ? [failing(problem, submission)] : []),
      ],
      ...(offline && {
        review: `The setup handler calls ${[...new Set(blocked)].join(', ')}, and outbound requests are refused here. Install it in "platform dev".`,
      }),
    };
  },
};

const stuck = ({ section, status }: { section: string; status: string }): PublishFinding => ({
  message: `The installation stays ${status} although every required property is set.`,
  help: 'Check whether the script removes values in its installation_setup handler.',
  path: ['configurations', section, 'required'],
});

/** A warning: real values may suit the script better than samples. */
const failing = (problem: ThrownError, submission: Submission): PublishFinding => ({
  message: `The setup handler fails with sample configuration: ${problem.message}`,
  help: 'Install it in "platform dev" with real configuration.',
  severity: 'warning',
  ...placeOf(problem, submission, ['script']),
});
