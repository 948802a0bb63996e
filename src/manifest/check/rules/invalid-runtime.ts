import type { ManifestRule } from '../rule-support/rule-context.js';
import { runtimeNames } from '../../../protocol/runtime-names.js';
import { valueAt } from '../../../base/value-at-path.js';
import { showValue } from '../rule-support/list-in-words.js';

export const invalidRuntime: ManifestRule = {
  code: 'manifest/invalid-runtime',
  severity: 'error',
  summary: 'The runtime, compatibility date or compatibility flags in platform.dev.yaml are invalid.',
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/invalid-runtime')) {
      const [field] = path;
      yield {
        message: `${showValue(valueAt(value, path))} is not a valid ${wordsFor(field)}.`,
        help: helpFor(field),
        path,
      };
    }
  },
};

const wordsFor = (field: unknown): string =>
  field === 'runtime'
    ? 'runtime'
    : field === 'compatibilityDate'
      ? 'compatibility date'
      : 'list of compatibility flags';

const helpFor = (field: unknown): string =>
  field === 'runtime'
    ? `Use ${runtimeNames.join(' or ')}.`
    : field === 'compatibilityDate'
      ? 'Use a date such as 2026-10-23, or remove it to use the newest date that workerd supports.'
      : 'Use a list of names, such as [nodejs_compat].';
