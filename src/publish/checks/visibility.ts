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
  summary: 'The people it is for can install it.',
  run({ manifest, target }) {
    const { visibility } = manifest.integration;
    const allowed: readonly string[] = needed[target];
    if (allowed.includes(visibility)) return { evidence: `The visibility is ${visibility}.` };
    return {
      evidence: `The visibility is ${visibility}; the target ${target} needs ${allowed[0]}.`,
      findings: [
        {
          message: `An integration with visibility ${visibility} cannot be published to the target ${target}.`,
          help: `Set "visibility: ${allowed[0]}", or choose another target with --target.`,
          path: ['visibility'],
        },
      ],
    };
  },
};
