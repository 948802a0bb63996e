import { count } from '../../diagnostics/index.js';
import { skipped, type Check } from './check.js';
import { kilobytes } from './icon.js';

const large = 1024 * 1024;

export const script: Check = {
  code: 'publish/script',
  title: 'Script',
  severity: 'error',
  summary: 'The script is missing, does not build, or is larger than 1 MB.',
  run({ manifest, bundle, building, packed }) {
    const { script } = manifest.integration;
    if (script === undefined) {
      return {
        evidence: 'The manifest has no script.',
        findings: [
          {
            message: 'The manifest has no script, so there is nothing to run.',
            help: 'Add "script: ./src/index.ts". The file must export the result of createIntegration().',
            path: ['script'],
          },
        ],
      };
    }
    if (packed) return skipped('Packed submissions are not rebuilt.');
    const problems = building.filter(({ code }) => code !== 'bundle/node-import');
    if (!bundle) {
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      return { evidence: `${script} does not build: ${count(errors, 'error')}.`, findings: problems };
    }
    const bytes = Buffer.byteLength(bundle.code);
    const heaviest = bundle.sizes
      .slice(0, 5)
      .map(({ package: name, bytes }) => `${name === '.' ? 'own code' : name} ${kilobytes(bytes)}`);
    return {
      evidence: `${script} builds to ${kilobytes(bytes)}. Largest: ${heaviest.join(', ')}.`,
      findings: [
        ...problems,
        ...(bytes > large
          ? [
              {
                message: `The script is ${kilobytes(bytes)}, so it starts slowly.`,
                help: `Remove or replace the largest parts: ${heaviest.join(', ')}.`,
                severity: 'warning' as const,
                path: ['script'],
              },
            ]
          : []),
      ],
    };
  },
};
