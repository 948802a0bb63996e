import type { ManifestRule } from '../rule-support/rule-context.js';
import { showPath } from '../rule-support/list-in-words.js';

export const emptyText: ManifestRule = {
  code: 'manifest/empty-text',
  severity: 'error',
  summary: 'A required text field is empty.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/empty-text'))
      yield {
        message: `${showPath(path)} is empty.`,
        help: 'Fill it in, or remove the field if it is optional.',
        path,
      };
  },
};
