import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, textAt } from '../../../base/value-at-path.js';
import { showValue } from '../rule-support/list-in-words.js';

export const invalidUrl: ManifestRule = {
  code: 'manifest/invalid-url',
  severity: 'error',
  summary: "An external link's URL is not a full http or https URL.",
  *check({ value }) {
    for (const index of listAt(value, 'externalLinks').keys()) {
      const path = ['externalLinks', index, 'url'];
      const url = textAt(value, ...path);
      if (url === undefined || isWebAddress(url)) continue;
      yield {
        message: url.trim() === '' ? 'The URL is empty.' : `${showValue(url)} is not an http or https URL.`,
        help: 'Write the full URL, such as https://example.com/docs.',
        path,
      };
    }
  },
};

const isWebAddress = (url: string): boolean =>
  /^https?:\/\/[^\s/]/i.test(url) && !/\s/.test(url) && URL.canParse(url);
