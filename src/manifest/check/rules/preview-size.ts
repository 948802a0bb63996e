import type { ManifestRule } from '../rule-support/rule-context.js';
import { isSmaller, isTwoToOne } from '../../read/image-info.js';
import { imagesOf } from '../rule-support/declared-paths.js';

export const previewSize: ManifestRule = {
  code: 'manifest/preview-size',
  severity: 'warning',
  summary: 'A preview image is not twice as wide as it is high, or is smaller than 1600 x 800 pixels.',
  *check(context) {
    for (const { path, role, info } of imagesOf(context)) {
      if (role !== 'preview' || !info?.width || !info.height) continue;
      const size = `${info.width} x ${info.height}`;
      if (!isTwoToOne(info.width, info.height))
        yield {
          message: `The preview image is ${size}. It must be twice as wide as it is high.`,
          help: 'Crop it to 2:1; 1600 x 800 pixels is recommended.',
          path,
        };
      else if (isSmaller(info.width, 1600) && info.format !== 'svg')
        yield {
          message: `The preview image is ${size}, smaller than the recommended 1600 x 800.`,
          help: 'Use a larger image. This one looks blurred on the installation page.',
          path,
        };
    }
  },
};
