import type { Check } from '../check.js';

export const outsideSources: Check = {
  code: 'publish/outside-source',
  title: 'Sources',
  severity: 'error',
  summary: 'Everything in the script comes from the folder or from packages.',
  look({ bundle, outside }) {
    if (!bundle) return { evidence: 'The script does not build.', person: 'Make it build first.' };
    return {
      evidence:
        outside.length === 0 ? 'No source lies outside the folder.' : `${outside.length} lie outside.`,
      findings: outside.map((path) => ({
        message: `${path} lies outside the integration's folder.`,
        help: 'Move it in, or make it a package: others who build from the folder do not have it.',
        path: ['script'],
      })),
    };
  },
};
