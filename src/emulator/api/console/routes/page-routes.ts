import type { Handlers } from '../../../../contract/console-api.js';

/**
 * Counts the connected pages of the console and the site, because `platform open` waits until the page that it opens has
 * connected.
 */
export function createPageCount(siteReaders: () => number): {
  note(request: Request): void;
  handlers: Handlers<'GET /pages'>;
} {
  let connected = 0;
  return {
    note({ url, headers }) {
      // Commands also read the stream, but only browsers send this header.
      if (headers.has('sec-fetch-site') && new URL(url).pathname.endsWith('/stream')) connected += 1;
    },
    handlers: { 'GET /pages': () => ({ connected, site: siteReaders() }) },
  };
}
