import type { Check } from './check.js';

const destinations = {
  marketplace: { published: 'published to the marketplace', allowed: ['public'] },
  link: { published: 'shared through an install link', allowed: ['unlisted', 'public'] },
  organization: { published: 'installed in your organization', allowed: ['private', 'unlisted', 'public'] },
} as const;

const reasons: Record<string, string> = {
  private: 'only its own organization can install it',
  unlisted: 'the marketplace lists only public integrations',
};

export const visibility: Check = {
  code: 'publish/visibility',
  title: 'Visibility',
  severity: 'error',
  summary: 'The visibility does not allow publishing to the chosen destination.',
  run({ manifest, target }) {
    const { visibility } = manifest.integration;
    const { published, allowed } = destinations[target];
    if (allowed.some((one) => one === visibility)) return { evidence: `The visibility is ${visibility}.` };
    const others = Object.entries(destinations)
      .filter(([, { allowed }]) => allowed.some((one) => one === visibility))
      .map(([name]) => `--target ${name}`);
    return {
      evidence: `The visibility is ${visibility}.`,
      findings: [
        {
          message: `The integration cannot be ${published}, because it is ${visibility}: ${reasons[visibility]}.`,
          help: `Set "visibility: ${allowed.join('" or "visibility: ')}", or choose another destination with ${others.join(' or ')}.`,
          path: ['visibility'],
        },
      ],
    };
  },
};
