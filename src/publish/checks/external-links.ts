import type { Check, PublishFinding } from './check.js';
import { isPlaceholderHost } from './placeholder-host.js';

const local = /(^|\.)localhost$|^(127|10|192\.168)\.[\d.]+$|^\[::1\]$/i;

export const externalLinks: Check = {
  code: 'publish/external-links',
  title: 'Links',
  severity: 'warning',
  summary: 'The external links are missing, not public, or do not use https.',
  run({ manifest }) {
    const { externalLinks } = manifest.integration;
    if (externalLinks.length === 0) {
      return {
        evidence: 'None.',
        findings: [
          {
            message: 'The manifest has no external links.',
            help: 'Add externalLinks, for example to your documentation or support page.',
            path: ['externalLinks'],
          },
        ],
      };
    }
    const findings = externalLinks.flatMap(({ url }, index): PublishFinding[] => {
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      const path = ['externalLinks', index, 'url'];
      if (parsed && (local.test(parsed.hostname) || isPlaceholderHost(parsed.hostname))) {
        return [{ message: `${url} is not a public URL.`, help: 'Use the real URL.', path }];
      }
      if (parsed && parsed.protocol !== 'https:' && parsed.protocol !== 'mailto:') {
        return [{ message: `${url} is not encrypted.`, help: 'Use an https:// URL.', path }];
      }
      return [];
    });
    return { evidence: `Links to ${externalLinks.map(({ url }) => url).join(', ')}.`, findings };
  },
};
