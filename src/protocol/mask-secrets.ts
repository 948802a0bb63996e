import { shortestSecret, spellingsOf } from './secret-spellings.js';

/** Hides secrets in text that people or other programs can see. */
export interface Mask {
  (text: string): string;
  /** All spellings to hide. */
  spellings: string[];
}

export const hiddenSecret = '•••';

/** Creates a mask that finds each secret in every spelling that programs use. */
export const createMask = (secrets: Iterable<string>): Mask => {
  const all = [...secrets];
  const spellings = [...new Set(all.flatMap(spellingsOf))];
  const mask = maskSpellings(spellings);
  return Object.assign((text: string) => mask(maskPrintedBytes(text, mask, all)), { spellings });
};

/** Bytes as Node prints them: in rows from the seventh on, and not to their end. */
const printedBytes =
  /(\[\n\s*)((?:\d{1,3},\s+){1,9999}\d{1,3})(,\s+\.{3} \d+ more items?)?(?=\s*\])|<(Buffer )?((?:[\da-f]{2} )+)\.{3} \d+ more bytes?>/g;

/** Where a row begins and what is left out varies, so these are decoded before a secret is looked for. */
function maskPrintedBytes(text: string, mask: (text: string) => string, secrets: string[]): string {
  if (!text.includes('[\n') && !text.includes('... ')) return text;
  return text.replaceAll(printedBytes, (...found: (string | undefined)[]) => {
    const [all = '', start, list, rest, name = '', hex = ''] = found;
    const bytes = list === undefined ? readNumbers(hex, 16) : readNumbers(list, 10);
    const decoded = new TextDecoder().decode(Uint8Array.from(bytes));
    const isCut = list === undefined || rest !== undefined;
    if (mask(decoded) === decoded && !(isCut && secrets.some((secret) => endsInside(decoded, secret))))
      return all;
    return list === undefined ? `<${name}${hiddenSecret}>` : `${start}${hiddenSecret}`;
  });
}

const readNumbers = (text: string, base: number): number[] =>
  (text.match(/[\da-f]+/g) ?? []).map((digits) => Number.parseInt(digits, base));

/** Whether the text ends with the beginning of the secret. */
function endsInside(text: string, secret: string): boolean {
  for (let length = Math.min(text.length, secret.length); length >= shortestSecret; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return true;
  return false;
}

/** Returns a function that replaces these strings. */
function maskSpellings(spellings: string[]): (text: string) => string {
  const scan = createScan(spellings, hiddenSecret);
  return (text) => scan(text, text.length).masked ?? text;
}

/**
 * Masks the strings that start before `until`. `read`: where the masked part of the text ends, which is
 * further if a string continues. `masked` is absent if that part contains none of the strings.
 */
export type Scan = (text: string, until: number) => { masked?: string; read: number };

/**
 * Returns a function that replaces these strings. Each must have at least four characters. If two start at
 * the same position, the longer one wins.
 */
export function createScan(spellings: string[], hidden: string): Scan {
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const byStart = groupBy(longestFirst, sumOfStart);
  const maybe = new Uint8Array(65536);
  for (const start of byStart.keys()) maybe[start] = 1;
  // Created on first use: most groups are never used, and each new secret creates a new mask.
  const groups = new Map<number, Group>();
  const groupAt = (start: number): Group => {
    const group = groups.get(start) ?? createGroup(byStart.get(start) ?? [], shortestSecret);
    groups.set(start, group);
    return group;
  };

  return (text, until) => {
    const { length } = text;
    let result = '';
    let copied = 0;
    let last = 0;
    let end = 0;
    while (end < length) {
      // A copy of sumOfStart, because calling a shared function here is three times as slow. As a loop of its
      // own, it is a tenth faster.
      do {
        last = ((last << 4) ^ text.charCodeAt(end)) & 0xffff;
        end += 1;
      } while (maybe[last] === 0 && end < length);
      const at = end - shortestSecret;
      if (maybe[last] === 0 || at < copied) continue;
      if (at >= until) break;
      const found = findLongest(groupAt(last), text, at);
      if (found === undefined) continue;
      result += text.slice(copied, at) + hidden;
      copied = at + found.length;
      end = copied;
    }
    const read = Math.max(copied, Math.min(until, text.length));
    return copied === 0 ? { read } : { masked: result + text.slice(copied, read), read };
  };
}

/** A sum over the last four characters: older ones have been shifted out. */
function sumOfStart(text: string): number {
  let sum = 0;
  for (let at = 0; at < shortestSecret; at += 1) sum = ((sum << 4) ^ text.charCodeAt(at)) & 0xffff;
  return sum;
}

/**
 * Spellings with the same start. Many start with `\u00`, so trying them one by one would be slow: the two
 * characters at `offset`, where the spellings start to differ, select the next group.
 */
interface Group {
  offset: number;
  next: (Group | undefined)[] | undefined;
  /** Spellings that are too short for `next`, the longest first. */
  rest: string[];
}

function createGroup(longestFirst: string[], known: number): Group {
  const offset = firstDifference(longestFirst, known);
  const long = longestFirst.filter(({ length }) => length >= offset + 2);
  if (longestFirst.length === 1 || long.length === 0) return { offset, next: undefined, rest: longestFirst };
  const next: Group['next'] = Array.from({ length: 256 });
  for (const [pair, group] of groupBy(long, (spelling) => pairAt(spelling, offset)))
    next[pair] = createGroup(group, offset + 2);
  return { offset, next, rest: longestFirst.slice(long.length) };
}

function findLongest(group: Group | undefined, text: string, at: number): string | undefined {
  if (!group) return undefined;
  const found = group.next && findLongest(group.next[pairAt(text, at + group.offset)], text, at);
  if (found !== undefined) return found;
  for (const spelling of group.rest) if (text.startsWith(spelling, at)) return spelling;
  return undefined;
}

/** Different pairs may have the same number, so the whole spelling is compared at the end. */
const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 4) ^ text.charCodeAt(at + 1)) & 0xff;

function firstDifference([first = '', ...others]: string[], from: number): number {
  let at = from;
  while (at < first.length && others.every((other) => other[at] === first[at])) at += 1;
  return at;
}

function groupBy(spellings: string[], key: (spelling: string) => number): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const spelling of spellings) {
    const group = groups.get(key(spelling));
    if (group) group.push(spelling);
    else groups.set(key(spelling), [spelling]);
  }
  return groups;
}
