import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/calls/readers.js';
import { addressOf, type SiteContent } from '../site-content.js';

export interface SearchIndex {
  /** Titles and headings of all pages, as JSON. */
  read(): Promise<string>;
}

/** Other work of the process waits at most this long, and for the page that is parsed then. */
const sliceMs = 4;

interface SearchOptions {
  spaces(): readonly ReaderSpace[];
  content: Pick<SiteContent, 'documents' | 'headings'>;
  timers: Pick<Timers, 'monotonic'>;
}

/** Pages are parsed in slices, and again only when they have changed. */
export function createSearchIndex({ spaces, content, timers }: SearchOptions): SearchIndex {
  /** JSON of the headings, by the hash and title of the page. A heading itself would keep its whole page in memory. */
  let known = new Map<string, string>();

  const build = async (): Promise<string> => {
    const next = new Map<string, string>();
    const entries: string[] = [];
    let began = timers.monotonic();
    for (const space of spaces()) {
      for (const page of content.documents(space.id)) {
        const { title } = page;
        const key = `${page.hash ?? ''} ${title}`;
        const headings =
          known.get(key) ??
          JSON.stringify(
            content
              .headings(space.id, page.id)
              .filter(({ text }) => text !== title)
              .map(({ id, text }) => ({ id, text })),
          );
        next.set(key, headings);
        const [name, path] = [title, addressOf(space, page)].map((text) => JSON.stringify(text));
        entries.push(`{"title":${name},"path":${path},"headings":${headings}}`);
        if (timers.monotonic() - began < sliceMs) continue;
        await new Promise((resolve) => setImmediate(resolve));
        began = timers.monotonic();
      }
    }
    known = next;
    return `[${entries.join(',')}]`;
  };

  let running: Promise<string> | undefined;
  return {
    read: () => (running ??= build().finally(() => (running = undefined))),
  };
}
