import type { Check } from '../check.js';

const needed = {
  marketplace: ['public'],
  link: ['unlisted', 'public'],
  organization: ['private', 'unlisted', 'public'],
} as const;

export const visibility: Check = {
  code: 'publish/visibility',
  title: 'Visibility',
  severity: 'error',
  summary: 'Whoever it is made for can install it.',
  look({ manifest, target }) {
    const { visibility } = manifest.integration;
    const allowed: readonly string[] = needed[target];
    if (allowed.includes(visibility)) return { evidence: `It is ${visibility}.` };
    return {
      evidence: `It is ${visibility}; for the target ${target} it has to be ${allowed[0]}.`,
      findings: [
        {
          message: `With the visibility ${visibility} it can't be submitted to the ${target}.`,
          help: `Write "visibility: ${allowed[0]}", or check for another target with --target.`,
          path: ['visibility'],
        },
      ],
    };
  },
};
