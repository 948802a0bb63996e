import type { Check, PublishFinding } from './check.js';

const noise = /(^|-)(integration|plugin|addon)(-|$)/i;
/** Words that also occur in the names of products. */
const perhaps = /(^|-)(extension|app|platform)(-|$)/i;

export const name: Check = {
  code: 'publish/name',
  title: 'Name',
  severity: 'warning',
  summary: 'The name or title contains a word such as "integration".',
  run({ manifest }) {
    const { name, title } = manifest.integration;
    const findings: PublishFinding[] = [];
    const word = (noise.exec(name) ?? perhaps.exec(name))?.[2];
    if (word !== undefined) {
      findings.push({
        message: `The name ${name} contains "${word}", which says nothing about what the integration does.`,
        help: "Name the integration after what it connects to. The name can't be changed later.",
        path: ['name'],
      });
    }
    const inTitle = /\b(integration|plugin|addon)\b/i.exec(title)?.[0];
    if (inTitle !== undefined) {
      findings.push({
        message: `The title "${title}" contains "${inTitle}".`,
        help: 'Remove that word.',
        path: ['title'],
      });
    }
    return { evidence: `${name}, "${title}".`, findings };
  },
};
