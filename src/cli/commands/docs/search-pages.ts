import { readdirSync, readFileSync } from 'node:fs';

/**
 * A documentation page in the package. Its address is its path within `docs/` without the extension, for example
 * `guides/oauth`.
 */
export interface Page {
  page: string;
  title: string;
  text: string;
}

export interface Match extends Page {
  heading: string;
}

interface Section {
  heading: string;
  text: string;
  /** The number of times each word occurs. An occurrence in a heading counts several times. */
  words: Map<string, number>;
  length: number;
}

const headingWeight = 3;
const titleWeight = 4;

export const listPages = (docs: URL): Page[] =>
  readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const text = readFileSync(new URL(file.replaceAll('\\', '/'), docs), 'utf8');
      const page = file.replaceAll('\\', '/').slice(0, -3);
      return { page, title: /^# (.*)$/m.exec(text)?.[1] ?? page, text };
    })
    .toSorted((a, b) => (a.page < b.page ? -1 : 1));

export function searchPages(pages: readonly Page[], words: readonly string[]): Match[] {
  const wanted = [...new Set(words.flatMap(wordsOf))];
  // The index page mentions every term but explains none, so it is not a useful result.
  const candidates = pages
    .filter(({ page }) => page !== 'README')
    .map((page) => ({ page, sections: sectionsOf(page) }));
  const all = candidates.flatMap(({ sections }) => sections);
  const average = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
  const rarity = new Map(
    wanted.map((word) => {
      const having = all.filter(({ words: has }) => has.has(word)).length;
      return [word, Math.log(1 + (all.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const isCode = ({ heading }: Section): boolean =>
    words.some((word) => /\w[/-]\w/.test(word) && `/${heading}`.endsWith(`/${word}`));
  const scoreOf = (section: Section): number =>
    wanted.reduce(
      (sum, word) => {
        const times = section.words.get(word) ?? 0;
        const saturated = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * section.length) / average));
        return sum + saturated * (rarity.get(word) ?? 0);
      },
      isCode(section) ? 1000 : 0,
    );
  return candidates
    .map(({ page, sections }) => {
      const scored = sections.map((section) => ({ section, score: scoreOf(section) }));
      const [best, second] = scored.toSorted((a, b) => b.score - a.score);
      // If two sections of a page match, the page is probably about the topic.
      const score = ((best?.score ?? 0) + (second?.score ?? 0) / 3) * weightOf(page.page);
      return { page, heading: best?.section.heading ?? '', text: best?.section.text ?? '', score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ page, heading, text }) => ({ page: page.page, title: page.title, heading, text }));
}

/**
 * Guides rank first, because people with a question usually want a guide. Next come the problems and the reference, which
 * are for those who already know the term. The pages at the top are mostly for maintainers.
 */
function weightOf(page: string): number {
  if (page.startsWith('guides/')) return 1.3;
  return page.includes('/') ? 0.65 : 0.5;
}

/** Splits a page at its headings, ignoring those inside code. */
function sectionsOf({ title, text }: Page): Section[] {
  const parts: { heading: string; lines: string[] }[] = [{ heading: title, lines: [] }];
  let inCode = false;
  for (const line of text.replaceAll(/<!--[^]*?-->\n*/g, '').split(/\r?\n/)) {
    if (line.startsWith('```')) inCode = !inCode;
    const heading = inCode ? undefined : /^#{2,6} (.*)/.exec(line)?.[1];
    if (heading !== undefined) parts.push({ heading: heading.replaceAll(/[`*]/g, ''), lines: [] });
    parts.at(-1)?.lines.push(line);
  }
  // Omits "Next" sections, because they only list other pages.
  return parts
    .filter(({ heading }) => heading !== 'Next')
    .map(({ heading, lines }) => {
      const counted = new Map<string, number>();
      const body = wordsOf(lines.join('\n'));
      const count = (list: readonly string[], weight: number): void => {
        for (const word of list) counted.set(word, (counted.get(word) ?? 0) + weight);
      };
      count(body, 1);
      count(wordsOf(heading), headingWeight);
      count(wordsOf(title), titleWeight);
      return { heading, text: lines.join('\n').trim(), words: counted, length: body.length };
    });
}

/** Words that often occur in questions but say nothing about the topic. */
const filler = new Set(
  'a an and are at be before by can do does for from get has have how i if in is it its like make my of on one or out own put same see so than that the them then there they this to use user we what when where which who why will with work you your'.split(
    ' ',
  ),
);

/** Returns the words in lower case. Removes filler words, and endings that may differ between a question and a page. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !filler.has(word)).map(stemOf);

function stemOf(word: string): string {
  if (word.length <= 4) return word.replace(/s$/, '');
  const singular = word.replace(/(?:ies|y)$/, 'i').replace(/s$/, '');
  return singular.replace(/(?:(?:at)?ion|ing|ed|e)$/, '');
}
