import type { ManifestFinding, ManifestRule } from '../rule-support/rule-context.js';
import { textAt } from '../../../base/value-at-path.js';

export const invalidName: ManifestRule = {
  code: 'manifest/invalid-name',
  severity: 'error',
  summary:
    'The name contains characters other than letters, digits and single hyphens, or is longer than 100 characters.',
  *check({ value, mistakes }) {
    for (const { path, keyword } of mistakes('manifest/invalid-name')) {
      const name = textAt(value, ...path) ?? '';
      yield { path, ...(keyword === 'maxLength' ? tooLong(name) : badlyFormed(name)) };
    }
  },
};

const tooLong = (name: string): ManifestFinding => ({
  message: `The name has ${Array.from(name).length} characters. The maximum is 100.`,
  help: 'Choose a shorter name. The name is used in URLs.',
});

function badlyFormed(name: string): ManifestFinding {
  const message =
    name.trim() === ''
      ? 'The name is empty.'
      : `The name ${JSON.stringify(name)} has characters other than letters, digits and single hyphens.`;
  const better = name
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  return {
    message,
    help: better ? `For example, use ${better}.` : 'Use letters, digits and single hyphens.',
  };
}
