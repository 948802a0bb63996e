import type { ManifestRule } from '../rule-support/rule-context.js';
import { isSquare } from '../../read/image-info.js';
import { imagesOf } from '../rule-support/declared-paths.js';

export const iconNotSquare: ManifestRule = {
  code: 'manifest/icon-not-square',
  severity: 'warning',
  summary: 'The icon is not square.',
  *check(context) {
    for (const { path, role, info } of imagesOf(context)) {
      if (role !== 'icon' || !info?.width || !info.height || isSquare(info.width, info.height)) continue;
      yield {
        message: `The icon is ${info.width} x ${info.height}, not square.`,
        help: 'Crop it or add a margin. The recommended size is 512 x 512 pixels.',
        path,
      };
    }
  },
};
