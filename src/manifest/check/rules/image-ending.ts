import type { ManifestRule } from '../rule-support/rule-context.js';
import { imagesOf } from '../rule-support/declared-paths.js';
import { showValue } from '../rule-support/list-in-words.js';

const endings: Readonly<Record<string, readonly string[]>> = {
  png: ['png'],
  jpeg: ['jpg', 'jpeg'],
  gif: ['gif'],
  webp: ['webp'],
  svg: ['svg'],
};

export const imageEnding: ManifestRule = {
  code: 'manifest/image-ending',
  severity: 'warning',
  summary: "An image's extension does not match its format.",
  *check(context) {
    for (const { path, text, info } of imagesOf(context)) {
      const ending = /\.([^./\\]+)$/.exec(text)?.[1]?.toLowerCase() ?? '';
      const right = info && endings[info.format];
      if (!right || right.includes(ending)) continue;
      yield {
        message: `${showValue(text)} is a ${info.format.toUpperCase()} image${ending ? `, but has a different extension` : ' without an extension'}.`,
        help: `Rename it to end in .${right[0]}, or save it in the other format.`,
        path,
      };
    }
  },
};
