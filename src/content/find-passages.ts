import { readFrontMatter } from './page/front-matter.js';
import type { Content, PageEntry } from './content.js';

/** A paragraph with words from the question. */
export interface Passage {
  page: PageEntry;
  text: string;
}

const mostPassages = 3;
const mostWords = 20;
const longest = 600;
/** How long the search may block other work in the process. */
const sliceMs = 4;
/** Words that say nothing about a page's topic. */
const common = new Set(
  'a an and any are as at be by can did do does for from get has have how i if in into is it its me my not of on or should that the their there this to use was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/**
 * Finds the pages with the most words from a question. For each page, returns the paragraph with the most of these words.
 */
export async function findPassages(
  content: Pick<Content, 'pages' | 'page'>,
  question: string,
): Promise<Passage[]> {
  const words = wordsOf(question);
  const pages: { page: PageEntry; found: Set<string> }[] = [];
  let began = performance.now();
  for (const page of documents(content.pages())) {
    const found = wordsIn(`${page.title}\n${textOf(content, page)}`, words);
    if (found.size > 0) pages.push({ page, found });
    if (performance.now() - began < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  }
  /** A word that occurs on few pages is more significant than a word that occurs on most pages. */
  const weights = new Map(
    words.map((word) => [word, 1 / pages.filter(({ found }) => found.has(word)).length]),
  );
  const weigh = (found: ReadonlySet<string>): number =>
    [...found].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const ranked = pages
    .map(({ page, found }) => ({ page, weight: weigh(found) }))
    .sort((one, other) => other.weight - one.weight);
  const enough = (ranked[0]?.weight ?? 0) / 2;
  return ranked
    .filter(({ weight }) => weight >= enough)
    .slice(0, mostPassages)
    .map(({ page }) => ({ page, text: bestParagraph(textOf(content, page), words, weigh) }));
}

function wordsOf(question: string): string[] {
  const all = new Set(question.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const telling = [...all].filter((word) => !common.has(word));
  return (telling.length > 0 ? telling : [...all]).slice(0, mostWords);
}

/** Returns the words that occur in a text, either as whole words or at the start of longer ones. */
function wordsIn(text: string, words: readonly string[]): Set<string> {
  const lower = text.toLowerCase();
  return new Set(
    words.filter(
      (word) => lower.includes(word) && new RegExp(`(?<![\\p{L}\\p{N}_])${word}`, 'u').test(lower),
    ),
  );
}

function bestParagraph(
  text: string,
  words: readonly string[],
  weigh: (found: ReadonlySet<string>) => number,
): string {
  const paragraphs = text
    .split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !/^(?:#|\{%|```|~~~)/.test(paragraph));
  const [best = { paragraph: '' }] = paragraphs
    .map((paragraph) => ({ paragraph, weight: weigh(wordsIn(paragraph, words)) }))
    .sort((one, other) => other.weight - one.weight);
  return best.paragraph.slice(0, longest);
}

function textOf(content: Pick<Content, 'page'>, { id }: PageEntry): string {
  const text = content.page(id)?.text ?? '';
  return text.slice(readFrontMatter(text).end);
}

/** Returns the pages that have text and are visible to readers, in reading order. */
const documents = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [
    ...(page.type === 'document' && !page.hidden ? [page] : []),
    ...documents(page.pages),
  ]);
