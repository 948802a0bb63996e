import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, textAt, textsAt } from '../../../base/value-at-path.js';
import { suggest } from '../rule-support/suggest-fix.js';
import { showValue } from '../rule-support/list-in-words.js';

export const unknownSpace: ManifestRule = {
  code: 'manifest/unknown-space',
  severity: 'error',
  summary: 'A site in platform.dev.yaml lists a space that does not exist.',
  *check({ value }) {
    const declared = listAt(value, 'spaces').flatMap((space) => textAt(space, 'id') ?? []);
    const known = declared.length > 0 ? declared : ['space_local'];
    for (const index of listAt(value, 'sites').keys()) {
      for (const { text, index: nth } of textsAt(value, 'sites', index, 'spaces')) {
        if (known.includes(text)) continue;
        yield {
          message: `Unknown space: ${showValue(text)}.`,
          ...suggest(text, known, { kind: 'replace', otherwise: 'Declare it under spaces.' }),
          path: ['sites', index, 'spaces', nth],
        };
      }
    }
  },
};
