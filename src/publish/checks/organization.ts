import type { Check } from '../check.js';

const placeholder = /^((my|your)[-_]org(anization)?|example|acme-inc|organization([-_]id)?)$/i;

export const organization: Check = {
  code: 'publish/organization',
  title: 'Organization',
  severity: 'error',
  summary: 'The organization is a real one, not the one that a template put there.',
  look({ manifest }) {
    const { organization } = manifest.integration;
    if (!placeholder.test(organization)) return { evidence: `It belongs to ${organization}.` };
    return {
      evidence: `It belongs to ${organization}, which is a placeholder.`,
      findings: [
        {
          message: `"${organization}" is a placeholder, not an organization.`,
          help: 'Write the id or the subdomain of your own.',
          path: ['organization'],
        },
      ],
    };
  },
};
