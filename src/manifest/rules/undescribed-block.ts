import { nearest } from '../../diagnostics/nearest.js';
import type { ManifestRule } from '../rule-context.js';
import { isRecord, listAt } from '../values.js';

export const undescribedBlock: ManifestRule = {
  code: 'manifest/undescribed-block',
  severity: 'warning',
  summary: 'A block has a description for the quick-insert menu.',
  *check({ value, mistakes }) {
    const mistyped = mistakes('manifest/unknown-key').filter(({ key = '' }) => nearest(key, ['description']));
    for (const [index, block] of listAt(value, 'blocks').entries()) {
      const told = mistyped.some(({ path }) => path[0] === 'blocks' && path[1] === index);
      if (isRecord(block) && !('description' in block) && !told)
        yield {
          message: `blocks[${index}] has no description; the quick-insert menu shows one.`,
          help: 'Add the line `description: …`.',
          path: ['blocks', index, 'description'],
        };
    }
  },
};
