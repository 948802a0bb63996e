import { skipped, skippedWithoutRun, type Check } from '../check.js';

export const settings: Check = {
  code: 'publish/settings',
  title: 'Configuration',
  severity: 'error',
  summary: 'An installation becomes active once every required property is set.',
  run(submission) {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const required = manifest.integration.configurations.account?.required ?? [];
    if (required.length === 0) return skipped('No property is required.');
    const list = required.join(', ');
    if (facts.status === 'active') return { evidence: `With ${list} set, the installation is active.` };
    return {
      evidence: `With ${list} set, the installation is ${facts.status}.`,
      findings: [
        {
          message: `The installation stays ${facts.status} although every required property is set.`,
          help: 'Check whether the script removes values in its installation_setup handler.',
          path: ['configurations', 'account', 'required'],
        },
      ],
    };
  },
};
