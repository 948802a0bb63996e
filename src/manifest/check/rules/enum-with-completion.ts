import type { ManifestRule } from '../rule-support/rule-context.js';
import { propertiesOf } from '../rule-support/configuration-properties.js';

export const enumWithCompletion: ManifestRule = {
  code: 'manifest/enum-with-completion',
  severity: 'error',
  summary: 'A property has both enum and completion_url.',
  *check({ value }) {
    for (const { path, property } of propertiesOf(value)) {
      if (property['type'] !== 'string' || !('enum' in property) || !('completion_url' in property)) continue;
      yield {
        message: 'The choices come from both enum and completion_url.',
        help: 'Keep enum for a fixed list, or completion_url for a list that the integration supplies.',
        path: [...path, 'completion_url'],
        at: 'key',
      };
    }
  },
};
