import { longestText, splitFacts, type Split, type Value } from './split-facts.js';

/** What a tool has found, before it is split and cut to size. */
export interface Found {
  /** About the whole. */
  about?: { [name: string]: Value };
  /** As many as fit are returned; the others follow with the cursor. */
  items?: readonly { [name: string]: Value }[];
  /** Text of this package, such as a page of its documentation. */
  text?: string;
  /** What to do next: a constant, or one with an id of ours. */
  next?: string;
  /** The cursor that continues at an item of this list, which begins at the given cursor. Default: its number. */
  cursorAt?(item: number): string;
  /** A cursor for what comes after the last item. */
  after?: string;
  isError?: boolean;
}

const mostTokens = 2000;
/** The rest of the answer: names of fields, cursor, next. */
const reserved = 200;
const shortest = 40;

/**
 * An estimate that is rather too high: pieces of up to five letters, three digits or three signs, and one for each
 * letter that is not Latin.
 */
export const countTokens = (text: string): number =>
  text.match(/[a-z]{1,5}|\d{1,3}|[^a-z\d\s]{1,3}|\n/gi)?.length ?? 0;

/** The answer as JSON of at most 2,000 tokens: `facts`, `untrusted`, `text`, `next`, `cursor`. */
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

/** The first item of an answer has to fit, so its strings are cut until it does. */
function fitting(item: { [name: string]: Value }, most: number, mayWait: boolean): Split {
  for (let longest = longestText; ; longest = Math.floor(longest / 2)) {
    const split = splitFacts(item, longest);
    if (mayWait || priceOf(split) <= most || longest <= shortest) return split;
  }
}

const partLength = 2000;

/** Pieces of a long text, cut at line ends where possible. */
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
