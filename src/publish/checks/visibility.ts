import type { Check } from '../check.js';

const destinations = {
  marketplace: { where: 'on the marketplace', allowed: ['public'] },
  link: { where: 'through an install link', allowed: ['unlisted', 'public'] },
  organization: { where: 'in its own organization', allowed: ['private', 'unlisted', 'public'] },
} as const;

export const visibility: Check = {
  code: 'publish/visibility',
  title: 'Visibility',
  severity: 'error',
  summary: 'The visibility does not allow publishing to the chosen destination.',
  run({ manifest, target }) {
    const { visibility } = manifest.integration;
    const { where, allowed } = destinations[target];
    const names: readonly string[] = allowed;
    if (names.includes(visibility)) return { evidence: `The visibility is ${visibility}.` };
    return {
      evidence: `The visibility is ${visibility}.`,
      findings: [
        {
          message: `An integration with visibility ${visibility} can't be published ${where}.`,
          help: `Set "visibility: ${allowed.join('" or "visibility: ')}", or choose another destination with --target.`,
          path: ['visibility'],
        },
      ],
    };
  },
};
