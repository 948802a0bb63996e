import type { Check, PublishFinding } from '../check.js';

const reserved = /(^|\.)(example\.(com|org|net)|localhost|test|invalid|example)$/i;

export const externalLinks: Check = {
  code: 'publish/external-links',
  title: 'Links',
  severity: 'error',
  ofListing: true,
  summary: 'People find documentation and help.',
  look({ manifest }) {
    const { externalLinks } = manifest.integration;
    if (externalLinks.length === 0) {
      return {
        evidence: 'There is none.',
        findings: [
          {
            message: 'No external link is given.',
            help: 'Write externalLinks with the label and the url of at least one: your documentation, or your support.',
            path: ['externalLinks'],
          },
        ],
      };
    }
    const findings = externalLinks.flatMap(({ url }, index): PublishFinding[] => {
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      const path = ['externalLinks', index, 'url'];
      if (parsed && reserved.test(parsed.hostname)) {
        return [{ message: `${url} is an address for examples.`, help: 'Write the real one.', path }];
      }
      if (parsed && parsed.protocol !== 'https:' && parsed.protocol !== 'mailto:') {
        return [{ message: `${url} is not encrypted.`, help: 'Link to an https:// address.', path }];
      }
      return [];
    });
    return { evidence: `It links to ${externalLinks.map(({ url }) => url).join(', ')}.`, findings };
  },
};
