import type { ManifestRule } from '../rule-support/rule-context.js';
import { valueAt } from '../../../base/value-at-path.js';
import { showValue } from '../rule-support/list-in-words.js';

export const invalidPort: ManifestRule = {
  code: 'manifest/invalid-port',
  severity: 'error',
  summary: 'A port in platform.dev.yaml is not an integer from 1 to 65535.',
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/invalid-port'))
      yield {
        message: `${showValue(valueAt(value, path))} is not a valid port.`,
        help:
          path.at(-1) === 'port'
            ? 'Use a whole number from 1 to 65535. The default is 4100.'
            : 'Use a whole number from 1 to 65535, or remove it to use a free port.',
        path,
      };
  },
};
