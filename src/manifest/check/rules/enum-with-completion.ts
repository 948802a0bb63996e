import type { ManifestRule } from '../rule-context.js';
import { propertiesOf } from '../rule-support/configuration-properties.js';

export const enumWithCompletion: ManifestRule = {
  code: 'manifest/enum-with-completion',
  severity: 'error',
  summary: 'A property takes its choices from enum or from completion_url, not from both.',
  *check({ value }) {
    for (const { path, property } of propertiesOf(value)) {
      if (property['type'] !== 'string' || !('enum' in property) || !('completion_url' in property)) continue;
      yield {
        message: 'The choices come from enum and from completion_url at once.',
        help: 'Keep enum for a fixed list, or completion_url for one that the integration supplies.',
        path: [...path, 'completion_url'],
        at: 'key',
      };
    }
  },
};
