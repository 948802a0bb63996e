import type { ManifestRule } from '../rule-support/rule-context.js';
import { reportUnknownWord } from '../rule-support/unknown-word.js';

export const unknownTarget: ManifestRule = {
  code: 'manifest/unknown-target',
  severity: 'error',
  summary: 'The target is not all, site, space or organization.',
  check: (context) =>
    reportUnknownWord(context, 'manifest/unknown-target', {
      field: 'target',
      otherwise: 'To allow all of them, omit the field.',
    }),
};
