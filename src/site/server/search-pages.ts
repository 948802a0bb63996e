import { literalPattern } from '../../base/text/literal-pattern.js';
import type { Timers } from '../../base/clock.js';
import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import type { PageEntry } from '../../content/index.js';
import type { PageTree } from '../../content/page/index.js';
import { linesOf } from '../../protocol/page/page-text.js';
import { findSimilar } from './find-similar.js';
import type { SearchHit } from '../search-hit.js';
import { addressOf, type SiteContent } from '../site-content.js';

export interface PageSearch {
  /**
   * Returns the titles that contain all of the words, followed by headings and by text. If nothing is found, returns similar
   * titles. Without words, returns the recent pages that still exist, and the first ones.
   */
  find(typed: string, signal?: AbortSignal, recent?: readonly string[]): Promise<SearchHit[]>;
}

const mostHits = 12;
const mostOnPage = 4;
const longestQuery = 200;
/** How long a search may block other work in the process, not counting the time to finish parsing the current page. */
const sliceMs = 4;
/** The maximum number of pages to parse for headings and for text. A page is parsed if its source contains the words. */
const mostParsed = 100;
/** How long to search in the text of pages, which is read from the folder. */
const textMs = 800;
const longestSnippet = 160;
const mostRecent = 5;

interface SearchOptions {
  spaces(): readonly ReaderSpace[];
  content: Pick<SiteContent, 'documents' | 'headingLines' | 'parse' | 'place' | 'textOf'>;
  timers: Pick<Timers, 'monotonic'>;
}

/** Parses only pages that probably contain a match, because parsing 10,000 pages takes seconds. */
export function createPageSearch({ spaces, content, timers }: SearchOptions): PageSearch {
  return {
    async find(typed, signal, recent = []) {
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
      const linesIn = (space: ReaderSpace, page: PageEntry): PageLine[] =>
        readLines(content.parse(space.id, page.id), page.title);
      const addPage = (space: ReaderSpace, page: PageEntry, kind?: SearchHit['kind']): void => {
        const text =
          page.description ?? linesIn(space, page).find(({ id, text }) => id === undefined && text)?.text;
        add(space, page, { ...(kind && { kind }), ...(text !== undefined && { text: cut(text) }) });
      };

      if (words.length === 0)
        for (const path of recent.slice(0, mostRecent))
          for (const space of spaces()) {
            const page = content.documents(space.id).find((one) => addressOf(space, one) === path);
            if (page) addPage(space, page, 'recent');
          }
      await search((space, page) => {
        if (fits(page.title) && !pages.has(addressOf(space, page))) addPage(space, page);
      });
      if (words.length === 0) return [...pages.values()].flat();
      let parsed = 0;
      await search((space, page) => {
        const headings = content.headingLines(space.id, page);
        if (!fits(headings) || !headings.split('\n').some(fits)) return;
        if ((parsed += 1) > mostParsed) return;
        const lines = linesIn(space, page);
        for (const [at, { id, text: section, within }] of lines.entries()) {
          if (id === undefined || !fits(section)) continue;
          const next = lines[at + 1];
          add(space, page, {
            href: `#${id}`,
            section,
            ...(within && { within }),
            ...(next?.id === undefined && next?.text && { text: cut(next.text) }),
          });
        }
      });
      const startsWith = (before: string): RegExp[] =>
        words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}${before}])${literalPattern(word)}`, 'u'));
      const starts = startsWith('_');
      // In the source, an underscore may be the beginning of emphasis.
      const sourceStarts = startsWith('');
      const until = timers.monotonic() + textMs;
      parsed = 0;
      await search((space, page) => {
        if (pages.has(addressOf(space, page)) || timers.monotonic() > until) return;
        const source = content.textOf(space.id, page.file ?? '')?.toLowerCase() ?? '';
        if (!fits(source) || !sourceStarts.every((start) => start.test(source))) return;
        if ((parsed += 1) > mostParsed) return;
        const lines = linesIn(space, page);
        const shown = lines.map(({ text }) => text.toLowerCase()).join('\n');
        // The words may be only in addresses, comments and the properties of tags, which the page does not show.
        if (!starts.every((start) => start.test(shown))) return;
        const best = bestLine(lines, starts);
        if (!best) return;
        const { text, section, within, href = '' } = best;
        add(space, page, {
          href: `${href || '#'}:~:text=${encodeURIComponent(words[0] ?? '')}`,
          text: around(text, starts),
          ...(section !== undefined && { section }),
          ...(within && { within }),
        });
      });
      if (pages.size === 0 && !signal?.aborted) {
        const all = spaces().flatMap((space) => content.documents(space.id).map((page) => ({ space, page })));
        const similar = await findSimilar(all, ({ page }) => page.title, words, timers);
        for (const { space, page } of similar) addPage(space, page, 'similar');
      }
      return [...pages.values()].flat().slice(0, mostHits);
    },
  };
}

/** A line of a page as readers see it. Headings have an id. */
interface PageLine {
  text: string;
  id?: string;
  /** The heading above a line. */
  section?: string;
  /** The headings above that heading. */
  within?: string;
  href?: string;
}

/** Returns the lines of a page below the headings that contain them. The title itself is left out. */
function readLines(tree: PageTree | undefined, title: string): PageLine[] {
  const headings = [...(tree?.headings ?? [])];
  let open: { level: number; text: string }[] = [];
  let below: Omit<PageLine, 'text'> = {};
  return linesOf(tree?.blocks ?? []).flatMap((line): PageLine[] => {
    const cells = line.split(' | ').map((cell) => cell.replaceAll(/\s+/g, ' ').trim());
    const text = cells.filter(Boolean).join(' · ');
    if (text === '') return [];
    // A heading may be missing among the lines, because it contains no text.
    const at = headings.slice(0, 3).findIndex((one) => one.text === line);
    const heading = headings.splice(0, at + 1).at(-1);
    if (!heading) return [{ text, ...below }];
    open = open.filter(({ level }) => level < heading.level);
    const within = open.map((one) => one.text).join(' › ');
    below = {};
    if (heading.text === title) return [];
    open.push(heading);
    below = { section: text, within, href: `#${heading.id}` };
    return [{ id: heading.id, text, within }];
  });
}

/** Returns the line with the most words. */
function bestLine(lines: readonly PageLine[], words: readonly RegExp[]): PageLine | undefined {
  let [best, most]: [PageLine | undefined, number] = [undefined, 0];
  for (const line of lines) {
    const lower = line.text.toLowerCase();
    const count = words.filter((word) => word.test(lower)).length;
    if (count > most) [best, most] = [line, count];
  }
  return best;
}

/** Returns the part of a line that contains the first of the words. */
function around(line: string, words: readonly RegExp[]): string {
  const lower = line.toLowerCase();
  const at = Math.min(...words.map((word) => lower.search(word)).filter((one) => one >= 0), line.length);
  const from = at < 60 ? 0 : line.lastIndexOf(' ', at - 40) + 1;
  return `${from > 0 ? '…' : ''}${cut(line.slice(from))}`;
}

const cut = (text: string): string =>
  text.length > longestSnippet ? `${text.slice(0, longestSnippet)}…` : text;
