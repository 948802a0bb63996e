import type { ManifestRule } from '../rule-support/rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { showValue } from '../rule-support/list-in-words.js';

export const invalidLimit: ManifestRule = {
  code: 'manifest/invalid-limit',
  severity: 'error',
  summary: 'A limit in platform.dev.yaml is not a positive integer.',
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/invalid-limit'))
      yield {
        message: `${showValue(valueAt(value, path))} is not a valid limit.`,
        help: `Use a whole number ${unitOf(String(path.at(-1)))}, or leave it out.`,
        path,
      };
  },
};

const unitOf = (name: string): string =>
  name.endsWith('Ms') ? 'of milliseconds' : name.endsWith('Bytes') ? 'of bytes' : 'of requests';
