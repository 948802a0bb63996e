import type { ManifestRule } from '../rule-support/rule-context.js';
import { showPath } from '../rule-support/list-in-words.js';

/** Reports schema errors that no other rule describes. */
export const invalidValue: ManifestRule = {
  code: 'manifest/invalid-value',
  severity: 'error',
  summary: 'A value violates a constraint in the schema that does not have its own problem code.',
  *check({ mistakes }) {
    for (const { path, message = '' } of mistakes('manifest/invalid-value'))
      yield {
        message: `${showPath(path) || 'The file'} ${message}.`,
        help: 'Change the value to one that the schema allows.',
        path,
      };
  },
};
