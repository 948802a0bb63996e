import type { Check } from './check.js';

const placeholder = /^((my|your)[-_]org(anization)?|example|acme-inc|organization([-_]id)?)$/i;

export const organization: Check = {
  code: 'publish/organization',
  title: 'Organization',
  severity: 'warning',
  summary: 'The organization is a placeholder from a template.',
  run({ manifest }) {
    const { organization } = manifest.integration;
    if (!placeholder.test(organization)) return { evidence: `Belongs to ${organization}.` };
    return {
      evidence: `${organization} is a placeholder.`,
      findings: [
        {
          message: `"${organization}" is a placeholder, not an organization.`,
          help: 'Use the id or subdomain of your organization.',
          path: ['organization'],
        },
      ],
    };
  },
};
