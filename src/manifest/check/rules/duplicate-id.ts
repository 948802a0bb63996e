import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, textAt } from '../../../base/value-at-path.js';
import { findRepeated } from '../rule-support/repeated-values.js';

const lists = [
  ['blocks', 'A block'],
  ['contentSources', 'A content source'],
  ['spaces', 'A space'],
  ['sites', 'A site'],
] as const;

export const duplicateId: ManifestRule = {
  code: 'manifest/duplicate-id',
  severity: 'error',
  summary: 'Two blocks, content sources, spaces or sites have the same id.',
  *check({ value }) {
    for (const [list, what] of lists) {
      const ids = listAt(value, list).flatMap((item, index) => {
        const text = textAt(item, 'id');
        return text === undefined ? [] : [{ text, index }];
      });
      for (const { text, index, first } of findRepeated(ids))
        yield {
          message: `${what} with the id ${text} is already declared: ${list}[${first}].`,
          help: 'Give this one a different id, or remove it.',
          path: [list, index, 'id'],
        };
    }
  },
};
