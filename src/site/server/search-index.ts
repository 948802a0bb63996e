import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/calls/readers.js';
import { addressOf, type SiteContent } from '../site-content.js';

export interface SearchIndex {
  /** Returns the titles and headings of all pages as JSON. */
  read(): Promise<string>;
}

/** The longest time that this blocks the process's other work, apart from the page being parsed. */
const sliceMs = 4;

interface SearchOptions {
  spaces(): readonly ReaderSpace[];
  content: Pick<SiteContent, 'documents' | 'headings'>;
  timers: Pick<Timers, 'monotonic'>;
}

/** Parses pages in slices, and parses a page again only after a change. */
export function createSearchIndex({ spaces, content, timers }: SearchOptions): SearchIndex {
  /** The headings as JSON, by page hash and title. Heading objects would keep the whole page in memory. */
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
