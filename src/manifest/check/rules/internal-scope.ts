import type { ManifestRule } from '../rule-context.js';
import { textsAt } from '../../../base/value-at-path.js';

const internal = ['site:script:inject', 'site:script:cookies'];

export const internalScope: ManifestRule = {
  code: 'manifest/internal-scope',
  severity: 'warning',
  summary: 'A scope that only the platform itself can use.',
  *check({ value }) {
    for (const { text, index } of textsAt(value, 'scopes')) {
      if (internal.includes(text))
        yield {
          message: `The scope ${text} is internal: the platform does not grant it to others.`,
          help: 'Remove it. An integration cannot put scripts into a site.',
          path: ['scopes', index],
        };
    }
  },
};
