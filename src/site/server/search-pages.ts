import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/calls/readers.js';
import type { PageEntry } from '../../content/index.js';
import type { SearchHit } from '../search-hit.js';
import { addressOf, type SiteContent } from '../site-content.js';

export interface PageSearch {
  /** Returns the titles that contain all of the words, followed by the headings. */
  find(typed: string): Promise<SearchHit[]>;
}

const mostHits = 12;
const longestQuery = 200;
/** How long a search may block other work in the process, not counting the time to finish parsing the current page. */
const sliceMs = 4;
/**
 * The maximum number of pages to parse in a search. A page is parsed if one of its lines looks like a matching heading, but
 * the line may turn out to be something else.
 */
const mostParsed = 100;

interface SearchOptions {
  spaces(): readonly ReaderSpace[];
  content: Pick<SiteContent, 'documents' | 'headingLines' | 'parse'>;
  timers: Pick<Timers, 'monotonic'>;
}

/** Parses only pages that probably contain a matching heading, because parsing 10,000 pages takes seconds. */
export function createPageSearch({ spaces, content, timers }: SearchOptions): PageSearch {
  return {
    async find(typed) {
      const words = typed.slice(0, longestQuery).toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
      const hits: SearchHit[] = [];
      let began = timers.monotonic();
      const search = async (add: (space: ReaderSpace, page: PageEntry) => void): Promise<void> => {
        for (const space of spaces()) {
          for (const page of content.documents(space.id)) {
            if (hits.length >= mostHits) return;
            add(space, page);
            if (timers.monotonic() - began < sliceMs) continue;
            await new Promise((resolve) => setImmediate(resolve));
            began = timers.monotonic();
          }
        }
      };
      await search((space, page) => {
        if (fits(page.title)) hits.push({ href: addressOf(space, page), text: page.title });
      });
      let parsed = 0;
      await search((space, page) => {
        const lines = content.headingLines(space.id, page);
        if (words.length === 0 || !fits(lines) || !lines.split('\n').some(fits)) return;
        if ((parsed += 1) > mostParsed) return;
        const { title } = page;
        for (const { id, text } of content.parse(space.id, page.id)?.headings ?? [])
          if (text !== title && fits(text))
            hits.push({ href: `${addressOf(space, page)}#${id}`, text, page: title });
      });
      return hits.slice(0, mostHits);
    },
  };
}
