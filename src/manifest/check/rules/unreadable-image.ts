import type { ManifestRule } from '../rule-context.js';
import { imagesOf } from '../rule-support/declared-paths.js';
import { showValue } from '../rule-support/list-in-words.js';

export const unreadableImage: ManifestRule = {
  code: 'manifest/unreadable-image',
  severity: 'error',
  summary: 'icon and previewImages are PNG, JPEG, GIF, WebP or SVG pictures.',
  *check(context) {
    for (const { path, text, info } of imagesOf(context)) {
      if (!info)
        yield {
          message: `${showValue(text)} is not a picture that can be read.`,
          help: 'Save it as PNG. JPEG, GIF, WebP and SVG can be read too.',
          path,
        };
    }
  },
};
