import { sectionsOf } from '../probe/sections.js';
import type { ThrownError } from '../../base/text/thrown-error.js';
import type { Submission } from '../submission/submission.js';
import { skipped, skippedWithoutRun, type Check, type PublishFinding } from './check.js';
import { isRefusedApi, positionOf } from './position-of-cause.js';

export const settings: Check = {
  code: 'publish/settings',
  title: 'Configuration',
  severity: 'error',
  summary: 'A setup handler fails, or an installation stays pending although every required property is set.',
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
    if (sections.length === 0 && !problem) return skipped('No properties are required.');
    return {
      evidence:
        sections
          .map(({ required, status }) => `With ${required.join(', ')} set, the installation is ${status}.`)
          .join(' ') || 'No properties are required.',
      findings: [
        ...sections.filter(({ status }) => status !== 'active').map(stuck),
        ...(problem && !offline && !isRefusedApi(problem, submission) ? [failing(problem, submission)] : []),
      ],
      ...(offline && {
        review: `The setup handler calls ${[...new Set(blocked)].join(', ')}, and publish-check blocks outbound requests. Install the integration in "platform dev" to check it.`,
      }),
    };
  },
};

const stuck = ({ section, status }: { section: string; status: string }): PublishFinding => ({
  message: `The installation stays ${status} although every required property is set.`,
  help: 'Check whether the installation_setup handler removes values.',
  path: ['configurations', section, 'required'],
});

/** This is only a warning, because real values may work where sample values fail. */
const failing = (problem: ThrownError, submission: Submission): PublishFinding => ({
  message: `The setup handler fails with sample configuration: ${problem.message}`,
  help: 'Install the integration in "platform dev" with real values.',
  severity: 'warning',
  ...positionOf(problem, submission, ['script']),
});
