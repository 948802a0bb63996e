import type { ManifestRule } from '../rule-context.js';
import { isRecord, listAt } from '../values.js';

export const undescribedBlock: ManifestRule = {
  code: 'manifest/undescribed-block',
  severity: 'warning',
  summary: 'A block has a description for the quick-insert menu.',
  *check({ value }) {
    for (const [index, block] of listAt(value, 'blocks').entries()) {
      if (isRecord(block) && !('description' in block))
        yield {
          message: `blocks[${index}] has no description; the quick-insert menu shows one.`,
          help: 'Add the line `description: …`.',
          path: ['blocks', index, 'description'],
        };
    }
  },
};
