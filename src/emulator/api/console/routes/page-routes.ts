import { defineRoute, type ConsoleRoute } from '../console-route.js';

/** Counts the pages of the console that have connected: `platform open` waits for the one that it opens. */
export function createPageCount(): { note(request: Request): void; route: ConsoleRoute } {
  let connected = 0;
  return {
    note({ url, headers }) {
      // Commands read the stream too; only browsers send this header.
      if (headers.has('sec-fetch-site') && new URL(url).pathname.endsWith('/stream')) connected += 1;
    },
    route: defineRoute({
      method: 'GET',
      path: '/pages',
      summary: 'How many pages of the console have connected since the platform started',
      answer: 'The number, as `connected`.',
      run: () => ({ connected }),
    }),
  };
}
