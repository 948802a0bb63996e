import type { Check, PublishFinding } from '../check.js';

const reserved =
  /(^|\.)(example\.(com|org|net)|localhost|test|invalid|example)$|^(127|10|192\.168)\.[\d.]+$|^\[::1\]$/i;

export const externalLinks: Check = {
  code: 'publish/external-links',
  title: 'Links',
  severity: 'warning',
  summary: 'People find documentation and help.',
  run({ manifest }) {
    const { externalLinks } = manifest.integration;
    if (externalLinks.length === 0) {
      return {
        evidence: 'No link.',
        findings: [
          {
            message: 'The manifest has no external link.',
            help: 'Add externalLinks with a label and a url, such as your documentation or your support page.',
            path: ['externalLinks'],
          },
        ],
      };
    }
    const findings = externalLinks.flatMap(({ url }, index): PublishFinding[] => {
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      const path = ['externalLinks', index, 'url'];
      if (parsed && reserved.test(parsed.hostname)) {
        return [{ message: `${url} is not a public address.`, help: 'Use the real address.', path }];
      }
      if (parsed && parsed.protocol !== 'https:' && parsed.protocol !== 'mailto:') {
        return [{ message: `${url} is not encrypted.`, help: 'Link to an https:// address.', path }];
      }
      return [];
    });
    return { evidence: `Links to ${externalLinks.map(({ url }) => url).join(', ')}.`, findings };
  },
};
