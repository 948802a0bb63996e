import { nearest } from '../../../base/did-you-mean.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { isRecord, listAt } from '../../../base/value-at-path.js';

export const undescribedBlock: ManifestRule = {
  code: 'manifest/undescribed-block',
  severity: 'warning',
  summary: 'A block has no description for the quick-insert menu.',
  *check({ value, mistakes }) {
    const mistyped = new Set(
      mistakes('manifest/unknown-key')
        .filter(({ path, key = '' }) => path[0] === 'blocks' && nearest(key, ['description']))
        .map(({ path }) => path[1]),
    );
    for (const [index, block] of listAt(value, 'blocks').entries()) {
      if (isRecord(block) && !('description' in block) && !mistyped.has(index))
        yield {
          message: `blocks[${index}] has no description, so the quick-insert menu shows none.`,
          help: 'Add the line `description: …`.',
          path: ['blocks', index, 'description'],
        };
    }
  },
};
