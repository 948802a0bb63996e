import type { ManifestRule } from '../rule-support/rule-context.js';
import { textsAt } from '../../../base/value-at-path.js';

const internal = ['site:script:inject', 'site:script:cookies'];

export const internalScope: ManifestRule = {
  code: 'manifest/internal-scope',
  severity: 'warning',
  summary: 'A scope is internal to the platform.',
  *check({ value }) {
    for (const { text, index } of textsAt(value, 'scopes')) {
      if (internal.includes(text))
        yield {
          message: `The scope ${text} is internal. The platform does not grant it to integrations.`,
          help: "Remove it. An integration can't put scripts into a site.",
          path: ['scopes', index],
        };
    }
  },
};
