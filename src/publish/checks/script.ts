import type { Check } from '../check.js';
import { kilobytes } from './icon.js';

const large = 1024 * 1024;

export const script: Check = {
  code: 'publish/script',
  title: 'Script',
  severity: 'error',
  summary: 'The script builds, and is small.',
  look({ manifest, bundle, building }) {
    const { script } = manifest.integration;
    if (script === undefined) {
      return {
        evidence: 'The manifest names none.',
        findings: [
          {
            message: 'The manifest names no script, so there is nothing to run.',
            help: 'Add "script: ./src/index.ts", the file that exports what createIntegration() returns.',
            path: ['script'],
          },
        ],
      };
    }
    if (!bundle) {
      const errors = building.filter(({ severity }) => severity === 'error').length;
      return {
        evidence: `${script} does not build.`,
        findings: [
          {
            message: `${script} does not build (${errors === 1 ? '1 error' : `${errors} errors`}).`,
            help: 'Mend what is said of it.',
            path: ['script'],
          },
        ],
      };
    }
    const bytes = Buffer.byteLength(bundle.code);
    const heaviest = bundle.sizes
      .slice(0, 5)
      .map(({ package: name, bytes }) => `${name === '.' ? 'own code' : name} ${kilobytes(bytes)}`);
    return {
      evidence: `${script} builds to ${kilobytes(bytes)}. Heaviest: ${heaviest.join(', ')}.`,
      findings:
        bytes > large
          ? [
              {
                message: `The script has ${kilobytes(bytes)}: it starts slowly.`,
                help: `Leave out what is heaviest: ${heaviest.join(', ')}.`,
                severity: 'warning',
                path: ['script'],
              },
            ]
          : [],
    };
  },
};
