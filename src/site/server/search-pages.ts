import { literalPattern } from '../../base/text/literal-pattern.js';
import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import type { PageEntry } from '../../content/index.js';
import { linesOf } from '../../protocol/page/page-text.js';
import type { SearchHit } from '../search-hit.js';
import { addressOf, type SiteContent } from '../site-content.js';

export interface PageSearch {
  /** Returns the titles that contain all of the words, followed by headings and by text. */
  find(typed: string, signal?: AbortSignal): Promise<SearchHit[]>;
}

const mostHits = 12;
const mostOnPage = 4;
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
  content: Pick<SiteContent, 'documents' | 'headingLines' | 'parse' | 'place' | 'textOf'>;
  timers: Pick<Timers, 'monotonic'>;
}

/** Parses only pages that probably contain a matching heading, because parsing 10,000 pages takes seconds. */
export function createPageSearch({ spaces, content, timers }: SearchOptions): PageSearch {
  return {
    async find(typed, signal) {
      const words = typed.slice(0, longestQuery).toLowerCase().split(/\s+/).filter(Boolean);
      const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
      /** The results of each page, keyed by its URL. */
      const pages = new Map<string, SearchHit[]>();
      let count = 0;
      const add = (space: ReaderSpace, page: PageEntry, hit: Partial<SearchHit>): void => {
        const href = addressOf(space, page);
        const hits = pages.get(href) ?? [];
        pages.set(href, hits);
        if (hits.length === mostOnPage) return;
        const above = content.place(space.id, page.id).trail.map(({ title }) => title);
        const place = { page: page.title, ...(above.length > 0 && { above: above.join(' › ') }) };
        hits.push({ ...place, ...hit, href: href + (hit.href ?? '') });
        count += 1;
      };
      let began = timers.monotonic();
      const search = async (look: (space: ReaderSpace, page: PageEntry) => void): Promise<void> => {
        for (const space of spaces()) {
          for (const page of content.documents(space.id)) {
            if (count >= mostHits || signal?.aborted) return;
            look(space, page);
            if (timers.monotonic() - began < sliceMs) continue;
            await new Promise((resolve) => setImmediate(resolve));
            began = timers.monotonic();
          }
        }
      };
      const textOf = ({ id }: ReaderSpace, { file }: PageEntry): string =>
        shownText(content.textOf(id, file ?? '') ?? '');
      await search((space, page) => {
        if (!fits(page.title)) return;
        const text = page.description ?? snippetOf(textOf(space, page), [/^(?:\*\*|[[`"“])?\p{L}/u])?.text;
        add(space, page, { ...(text !== undefined && { text }) });
      });
      let parsed = 0;
      await search((space, page) => {
        const headings = content.headingLines(space.id, page);
        if (words.length === 0 || !fits(headings) || !headings.split('\n').some(fits)) return;
        if ((parsed += 1) > mostParsed) return;
        const tree = content.parse(space.id, page.id);
        const lines = linesOf(tree?.blocks ?? []).map((line) => line.trim());
        const titles = new Set(tree?.headings.map(({ text }) => text));
        for (const { id, text: section } of tree?.headings ?? []) {
          if (section === page.title || !fits(section)) continue;
          const next = lines[lines.indexOf(section) + 1];
          const text =
            next === undefined || titles.has(next) ? {} : { text: cut(next.replaceAll(' | ', ' · ')) };
          add(space, page, { href: `#${id}`, section, ...text });
        }
      });
      const starts = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${literalPattern(word)}`, 'u'));
      const until = timers.monotonic() + textMs;
      await search((space, page) => {
        if (words.length === 0 || pages.has(addressOf(space, page)) || timers.monotonic() > until) return;
        const text = textOf(space, page);
        if (!fits(text)) return;
        const lower = text.toLowerCase();
        if (!starts.every((start) => start.test(lower))) return;
        const found = snippetOf(text, starts);
        // The words may be only in the names and properties of tags, which the page does not show.
        const shown = found?.text.toLowerCase() ?? '';
        if (!found || !starts.some((start) => start.test(shown))) return;
        const section = found.section === page.title ? undefined : found.section;
        const href = `#:~:text=${encodeURIComponent(words[0] ?? '')}`;
        add(space, page, { href, text: found.text, ...(section !== undefined && { section }) });
      });
      return [...pages.values()].flat().slice(0, mostHits);
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

/** Returns the line with the most words, without formatting, and the heading above it. */
function snippetOf(
  text: string,
  words: readonly RegExp[],
): { text: string; section?: string | undefined } | undefined {
  let [best, most] = ['', 0];
  let [heading, section]: (string | undefined)[] = [];
  let isCode = false;
  for (const line of text.split(/\r\n|\r|\n|<\/t[dh]>/)) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && /^ {0,3}#{1,6}\s/.test(line)) heading = plain(line);
    const lower = line.toLowerCase();
    const count = words.filter((word) => word.test(lower)).length;
    if (count > most) [best, most, section] = [line, count, heading];
  }
  if (most === 0) return undefined;
  const firstIn = (line: string): number =>
    Math.min(...words.map((word) => line.toLowerCase().search(word)).filter((at) => at >= 0), line.length);
  const around = Math.max(0, firstIn(best) - 500);
  const shown = plain(best.slice(around, around + 2000));
  const at = firstIn(shown);
  const from = at < 60 ? 0 : shown.lastIndexOf(' ', at - 40) + 1;
  return { text: `${from > 0 ? '…' : ''}${cut(shown.slice(from))}`, section };
}

/** Returns a line of Markdown without its formatting. */
const plain = (line: string): string =>
  line
    .replace(/^\s*(?:[-+]|\d{1,9}[.)])\s/, '')
    .replace(/\]\([^()]{0,400}\)|!?\[|[*`]/g, '')
    .replace(/\{%[^%]{0,400}%\}|<[^<>]{0,400}>|:[a-z-]{1,40}:|[|#>]/g, ' ')
    .replace(/\s{1,400}/g, ' ')
    .trim();

const cut = (text: string): string =>
  text.length > longestSnippet ? `${text.slice(0, longestSnippet)}…` : text;
