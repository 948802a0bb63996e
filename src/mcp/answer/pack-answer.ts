import { longestText, splitFacts, type Split, type Value } from './separate-untrusted-text.js';

/** A tool's result before it is split and truncated. */
export interface Found {
  about?: { [name: string]: Value };
  /** A list of items. The answer contains as many items as fit, and a cursor for requesting the rest. */
  items?: readonly { [name: string]: Value }[];
  /** Text from this package, such as a documentation page. */
  text?: string;
  /** What to do next. A constant, which may contain one of the platform's ids. */
  next?: string;
  /**
   * Returns the cursor for an answer that continues at the item with this index. By default, the cursor is the index. A tool
   * that defines this function passes a list that already starts at the cursor.
   */
  cursorAt?(item: number): string;
  /** A cursor for the results that come after the last item in this list, if there are any. */
  after?: string;
  isError?: boolean;
}

const mostTokens = 2000;
/** Space reserved for the rest of the answer: field names, the cursor and the next step. */
const reserved = 200;
const shortest = 40;

/**
 * Estimates the number of tokens, erring on the high side: one for each run of up to five letters, three digits or three
 * symbols, and one for each non-Latin letter.
 */
export const countTokens = (text: string): number =>
  text.match(/[a-z]{1,5}|\d{1,3}|[^a-z\d\s]{1,3}|\n/gi)?.length ?? 0;

/** Returns the answer as JSON of at most 2,000 tokens, with the fields `facts`, `untrusted`, `text`, `next` and `cursor`. */
export function packAnswer(found: Found, cursor: unknown): string {
  const { about, items = [], text, next, cursorAt = String, after } = found;
  const start = !found.cursorAt && /^\d{1,6}$/.test(String(cursor)) ? Number(cursor) : 0;
  const parts = [...items, ...(text === undefined ? [] : partsOf(text))];
  const head = splitFacts({ ...about, ...(found.items && { count: found.items.length }) }, 400);
  let left = mostTokens - reserved - priceOf(head);
  const taken: Split[] = [];
  const texts: string[] = [];
  let at = start;
  for (; at < parts.length; at += 1) {
    const part = parts[at] ?? {};
    const item = typeof part === 'string' ? part : fitting(part, left, at > start);
    const price = priceOf(item);
    if (price > left && at > start) break;
    left -= price;
    if (typeof item === 'string') texts.push(item);
    else taken.push(item);
  }
  const more = at < parts.length ? cursorAt(at) : after;
  const side = (name: keyof Split): object => ({
    ...(head[name] as object | undefined),
    ...(taken.some((one) => one[name] !== undefined) && { items: taken.map((one) => one[name] ?? {}) }),
  });
  return JSON.stringify({
    facts: side('facts'),
    untrusted: side('untrusted'),
    ...(texts.length > 0 && { text: texts.join('\n') }),
    ...(next !== undefined && { next }),
    ...(more !== undefined && { cursor: more }),
  });
}

const priceOf = (value: unknown): number => countTokens(JSON.stringify(value));

/** The first item must fit, so its strings are truncated until it does. */
function fitting(item: { [name: string]: Value }, most: number, mayWait: boolean): Split {
  for (let longest = longestText; ; longest = Math.floor(longest / 2)) {
    const split = splitFacts(item, longest);
    if (mayWait || priceOf(split) <= most || longest <= shortest) return split;
  }
}

const partLength = 2000;

/** Splits a long text, at line breaks if possible. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + partLength >= text.length ? text.length : text.lastIndexOf('\n', from + partLength);
    const to = end > from ? end : from + partLength;
    parts.push(text.slice(from, to));
    from = text[to] === '\n' ? to + 1 : to;
  }
  return parts;
}
