import type { Check } from '../check.js';
import { notRun } from './not-run.js';

export const settings: Check = {
  code: 'publish/settings',
  title: 'Settings',
  severity: 'error',
  summary: 'An installation becomes active once every required setting is filled in.',
  look({ manifest, facts }) {
    if (!facts?.isIntegration) return notRun;
    const required = manifest.integration.configurations.account?.required ?? [];
    if (required.length === 0) return { evidence: 'Nothing has to be filled in.' };
    const list = required.join(', ');
    if (facts.status === 'active') return { evidence: `With ${list} filled in, the installation is active.` };
    return {
      evidence: `With ${list} filled in, the installation is ${facts.status}.`,
      findings: [
        {
          message: `The installation stays ${facts.status} with every required setting filled in.`,
          help: 'Does the script take settings away when the installation is set up?',
          path: ['configurations', 'account', 'required'],
        },
      ],
    };
  },
};
