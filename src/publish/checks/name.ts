import type { Check, PublishFinding } from '../check.js';

const noise = /(^|-)(integration|plugin|addon)(-|$)/i;
/** These stand in names of products too. */
const perhaps = /(^|-)(extension|app|platform)(-|$)/i;

export const name: Check = {
  code: 'publish/name',
  title: 'Name',
  severity: 'error',
  ofListing: true,
  summary: 'The name says what it connects, without words such as "integration".',
  look({ manifest }) {
    const { name, title } = manifest.integration;
    const findings: PublishFinding[] = [];
    const word = (noise.exec(name) ?? perhaps.exec(name))?.[2];
    if (word !== undefined) {
      findings.push({
        message: `The name ${name} contains "${word}": everything in the marketplace is one.`,
        help: 'Name it after what it connects. The name can never be changed later.',
        path: ['name'],
        ...(!noise.test(name) && { severity: 'warning' }),
      });
    }
    const inTitle = /\b(integration|plugin|addon)\b/i.exec(title)?.[0];
    if (inTitle !== undefined) {
      findings.push({
        message: `The title "${title}" contains "${inTitle}".`,
        help: 'Leave that word out.',
        path: ['title'],
      });
    }
    return { evidence: `It is called ${name}, "${title}".`, findings };
  },
};
