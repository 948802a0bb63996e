import type { ManifestRule } from '../rule-support/rule-context.js';
import { imagesOf } from '../rule-support/declared-paths.js';
import { showValue } from '../rule-support/list-in-words.js';

export const unreadableImage: ManifestRule = {
  code: 'manifest/unreadable-image',
  severity: 'error',
  summary: 'icon or previewImages refers to a file that is not a PNG, JPEG, GIF, WebP or SVG image.',
  *check(context) {
    for (const { path, text, info } of imagesOf(context)) {
      if (!info)
        yield {
          message: `${showValue(text)} is not an image that can be read.`,
          help: 'Save it as PNG, JPEG, GIF, WebP or SVG.',
          path,
        };
    }
  },
};
