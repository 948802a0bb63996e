import { literalPattern } from '../../base/text/literal-pattern.js';
import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import type { PageEntry } from '../../content/index.js';
import type { SearchHit } from '../search-hit.js';
import { addressOf, type SiteContent } from '../site-content.js';

export interface PageSearch {
  /** Returns the titles that contain all of the words, followed by headings and by text. */
  find(typed: string, signal?: AbortSignal): Promise<SearchHit[]>;
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
/** How long to search in the text of pages, which is read from the folder. */
const textMs = 800;
const longestSnippet = 160;

interface SearchOptions {
  spaces(): readonly ReaderSpace[];
  content: Pick<SiteContent, 'documents' | 'headingLines' | 'parse' | 'textOf'>;
  timers: Pick<Timers, 'monotonic'>;
}

/** Parses only pages that probably contain a matching heading, because parsing 10,000 pages takes seconds. */
export function createPageSearch({ spaces, content, timers }: SearchOptions): PageSearch {
  return {
    async find(typed, signal) {
      const words = typed.slice(0, longestQuery).toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
      const hits: SearchHit[] = [];
      let began = timers.monotonic();
      const search = async (add: (space: ReaderSpace, page: PageEntry) => void): Promise<void> => {
        for (const space of spaces()) {
          for (const page of content.documents(space.id)) {
            if (hits.length >= mostHits || signal?.aborted) return;
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
      const known = new Set(hits.map(({ href }) => href.replace(/#.*/, '')));
      const starts = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${literalPattern(word)}`, 'u'));
      const until = timers.monotonic() + textMs;
      await search((space, page) => {
        const href = addressOf(space, page);
        if (words.length === 0 || known.has(href) || timers.monotonic() > until) return;
        const text = shownText(content.textOf(space.id, page.file ?? '') ?? '');
        if (!fits(text)) return;
        const lower = text.toLowerCase();
        if (!starts.every((start) => start.test(lower))) return;
        hits.push({
          href: `${href}#:~:text=${encodeURIComponent(words[0] ?? '')}`,
          text: snippetOf(text, starts) ?? page.description ?? '',
          page: page.title,
        });
      });
      return hits.slice(0, mostHits);
    },
  };
}

/** Returns a page's text without its front matter and its comments, which the page does not show. */
const shownText = (text: string): string =>
  text
    .replace(/^\uFEFF?---[ \t]*\r?\n(?:[^]*?\n)??---[ \t]*(?:\r?\n|$)/, '')
    .split('<!--')
    .map((part, at) => (at > 0 && part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : part))
    .join('');

/** Returns the line with the most words, without formatting. */
function snippetOf(text: string, words: readonly RegExp[]): string | undefined {
  let [best, most] = ['', 0];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const lower = line.toLowerCase();
    const count = words.filter((word) => word.test(lower)).length;
    if (count > most) [best, most] = [line, count];
  }
  if (most === 0) return undefined;
  const firstIn = (line: string): number =>
    Math.min(...words.map((word) => line.toLowerCase().search(word)).filter((at) => at >= 0), line.length);
  const around = Math.max(0, firstIn(best) - 500);
  const plain = best
    .slice(around, around + 2000)
    .replace(/\]\([^()]{0,400}\)|!?\[|[*`]/g, '')
    .replace(/\{%[^%]{0,400}%\}|<[^<>]{0,400}>|[|#>]/g, ' ')
    .replace(/\s{1,400}/g, ' ')
    .trim();
  const at = firstIn(plain);
  const from = at < 60 ? 0 : plain.lastIndexOf(' ', at - 40) + 1;
  const end = from + longestSnippet;
  return `${from > 0 ? '…' : ''}${plain.slice(from, end)}${end < plain.length ? '…' : ''}`;
}
