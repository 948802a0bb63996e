import type { ManifestRule } from '../rule-support/rule-context.js';
import { reportUnknownWord } from '../rule-support/unknown-word.js';

export const unknownVisibility: ManifestRule = {
  code: 'manifest/unknown-visibility',
  severity: 'error',
  summary: 'The visibility is not private, unlisted or public.',
  check: (context) =>
    reportUnknownWord(context, 'manifest/unknown-visibility', {
      field: 'visibility',
      otherwise: 'Start with private, and change it later.',
    }),
};
