import { shortestSecret, spellingsOf, type Spelling } from './secret-spellings.js';

/** Masks secrets in text that is shown to people or passed to other programs. */
export interface Mask {
  (text: string): string;
  spellings: Spelling[];
}

export const hiddenSecret = '•••';

/** Creates a mask that finds each secret however a program may write it. */
export const createMask = (secrets: Iterable<string>, spell = spellingsOf): Mask => {
  const all = [...secrets];
  const spellings = withoutRepeats(all.flatMap((secret) => spell(secret)));
  const mask = maskSpellings(spellings);
  const hide = (text: string): string => mask(maskNumberedBytes(maskPrintedBytes(text, mask, all), mask));
  return Object.assign(hide, { spellings });
};

/** Matches bytes as Node prints them. Node truncates them, and prints more than six bytes in rows. */
const printedBytes =
  /(\[\n\s*)((?:\d{1,3},\s+){1,9999}\d{1,3})(,\s+\.{3} \d+ more items?)?(?=\s*\])|<(Buffer )?((?:[\da-f]{2} )+)\.{3} \d+ more bytes?>/g;

/** Where rows begin and what Node omits can vary, so these bytes are decoded before they are searched for secrets. */
function maskPrintedBytes(text: string, mask: (text: string) => string, secrets: string[]): string {
  if (!text.includes('[\n') && !text.includes('... ')) return text;
  return text.replaceAll(printedBytes, (...found: (string | undefined)[]) => {
    const [all = '', start, list, rest, name = '', hex = ''] = found;
    const bytes = list === undefined ? readNumbers(hex, 16) : readNumbers(list, 10);
    const decoded = textOf(bytes);
    const isCut = list === undefined || rest !== undefined;
    if (mask(decoded) === decoded && !(isCut && secrets.some((secret) => endsInside(decoded, secret))))
      return all;
    return list === undefined ? `<${name}${hiddenSecret}>` : `${start}${hiddenSecret}`;
  });
}

/** Matches bytes in JSON, and in an object printed by Node. JSON inside other JSON contains more backslashes. */
const numberedBytes =
  /(?:\\{0,7}["']\d{1,7}\\{0,7}["']:\s?\d{1,3},\s*){3,99999}\\{0,7}["']\d{1,7}\\{0,7}["']:\s?\d{1,3}/g;
const firstOfThem = /0\\{0,7}["']:\s?\d/;

/** The first byte of a secret can be at any index. */
function maskNumberedBytes(text: string, mask: (text: string) => string): string {
  if (!firstOfThem.test(text)) return text;
  return text.replaceAll(numberedBytes, (all) => {
    const decoded = textOf([...all.matchAll(/:\s?(\d+)/g)].map(([, digits]) => Number(digits)));
    return mask(decoded) === decoded ? all : hiddenSecret;
  });
}

const textOf = (bytes: number[]): string => new TextDecoder().decode(Uint8Array.from(bytes));

const readNumbers = (text: string, base: number): number[] =>
  (text.match(/[\da-f]+/g) ?? []).map((digits) => Number.parseInt(digits, base));

/** Whether the text ends with the beginning of the secret. */
function endsInside(text: string, secret: string): boolean {
  for (let length = Math.min(text.length, secret.length); length >= shortestSecret; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return true;
  return false;
}

/** Keeps one spelling for each text. It ignores case if any of the spellings with this text does. */
function withoutRepeats(spellings: Spelling[]): Spelling[] {
  const byText = new Map<string, Spelling>();
  for (const spelling of spellings)
    if (spelling.anyCase || !byText.has(spelling.text)) byText.set(spelling.text, spelling);
  return [...byText.values()];
}

/** Returns a function that replaces these strings. */
function maskSpellings(spellings: Spelling[]): (text: string) => string {
  const scan = createScan(spellings, hiddenSecret);
  return (text) => scan(text, text.length).masked ?? text;
}

/**
 * Masks the strings that start before the offset `until`. `read` is the offset where the masked part ends. If a string
 * starts before `until` and ends after it, `read` is greater than `until`. `masked` is absent if nothing had to be masked.
 */
export type Scan = (text: string, until: number) => { masked?: string; read: number };

/**
 * Returns a function that replaces these strings. Each of them must have at least four characters. If two of them start at the
 * same position, the longer one is replaced.
 */
export function createScan(spellings: Spelling[], hidden: string): Scan {
  // Created on first use, because every new secret requires new masks, and most masks are never used.
  let index: Index | undefined;

  return (text, until) => {
    const { maybe, groupAt } = (index ??= createIndex(spellings));
    const { length } = text;
    let result = '';
    let copied = 0;
    let last = 0;
    let end = 0;
    while (end < length) {
      // Duplicates addToSum, because calling a shared function here is three times as slow. The separate inner loop saves a
      // tenth of the time.
      do {
        last = ((last << 4) ^ text.charCodeAt(end)) & 0xffff;
        end += 1;
      } while (maybe[last] === 0 && end < length);
      const at = end - shortestSecret;
      if (maybe[last] === 0 || at < copied) continue;
      if (at >= until) break;
      const found = findLongest(groupAt(startAt(text, at)), text, at);
      if (found === undefined) continue;
      result += text.slice(copied, at) + hidden;
      copied = at + found.length;
      end = copied;
    }
    const read = Math.max(copied, Math.min(until, text.length));
    return copied === 0 ? { read } : { masked: result + text.slice(copied, read), read };
  };
}

type Index = ReturnType<typeof createIndex>;

function createIndex(spellings: Spelling[]) {
  const longestFirst = [...spellings].sort((a, b) => b.text.length - a.text.length);
  const byStart = groupBy(longestFirst, ({ text }) => startAt(text, 0));
  /**
   * A lookup table by sum of four character codes. An entry is 1 if the first four characters of any of the strings have
   * that sum.
   */
  const maybe = new Uint8Array(65536);
  for (const spelling of spellings) markSums(maybe, spelling);
  const hasGroup = new Uint8Array(65536);
  for (const start of byStart.keys()) hasGroup[start] = 1;
  // Each group is created on first use, because most groups are never used.
  const groups = new Map<number, Group>();
  return {
    maybe,
    groupAt(start: number) {
      if (hasGroup[start] !== 1) return undefined;
      const known = groups.get(start);
      if (known) return known;
      const group = createGroup(byStart.get(start) ?? [], shortestSecret);
      groups.set(start, group);
      return group;
    },
  };
}

/** Returns the sum of the last four characters. Earlier characters have been shifted out. */
const addToSum = (sum: number, code: number): number => ((sum << 4) ^ code) & 0xffff;

/** Marks the sums of the first four characters in every combination of upper and lower case. */
function markSums(maybe: Uint8Array, { text, anyCase }: Spelling): void {
  let letters = 0;
  if (anyCase)
    for (let at = 0; at < shortestSecret; at += 1) if (isLetter(text.charCodeAt(at))) letters |= 1 << at;
  // Each bit of `cases` determines whether the letter at its position is in the opposite case.
  for (let cases = 0; cases <= letters; cases += 1) {
    if ((cases & letters) !== cases) continue;
    let sum = 0;
    for (let at = 0; at < shortestSecret; at += 1)
      sum = addToSum(sum, text.charCodeAt(at) ^ ((cases >> at) & 1 ? 0x20 : 0));
    maybe[sum] = 1;
  }
}

/** Returns a case-insensitive hash of the first four characters. Its values are distributed more evenly than the sums. */
function startAt(text: string, at: number): number {
  const first = inLowerCase(text.charCodeAt(at)) * 31 + inLowerCase(text.charCodeAt(at + 1));
  const second = inLowerCase(text.charCodeAt(at + 2)) * 31 + inLowerCase(text.charCodeAt(at + 3));
  return (first * 1021 + second) & 0xffff;
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** This also changes characters other than letters, but the whole text is compared later. */
const inLowerCase = (code: number): number => code | 0x20;

/**
 * Spellings that start with the same characters. Many start with `\u00`, so trying them one by one would be slow. Instead,
 * the two characters at `offset`, where the spellings first differ, select the next group.
 */
interface Group {
  offset: number;
  next: (Group | undefined)[] | undefined;
  /** Spellings too short for `next`, longest first. */
  rest: Spelling[];
}

function createGroup(longestFirst: Spelling[], known: number): Group {
  const offset = firstDifference(longestFirst, known);
  const long = longestFirst.filter(({ text }) => text.length >= offset + 2);
  if (longestFirst.length === 1 || long.length === 0) return { offset, next: undefined, rest: longestFirst };
  const next: Group['next'] = Array.from({ length: 256 });
  for (const [pair, group] of groupBy(long, ({ text }) => pairAt(text, offset)))
    next[pair] = createGroup(group, offset + 2);
  return { offset, next, rest: longestFirst.slice(long.length) };
}

function findLongest(group: Group | undefined, text: string, at: number): string | undefined {
  if (!group) return undefined;
  const found = group.next && findLongest(group.next[pairAt(text, at + group.offset)], text, at);
  if (found !== undefined) return found;
  for (const spelling of group.rest) if (startsHere(spelling, text, at)) return spelling.text;
  return undefined;
}

function startsHere({ text: spelling, anyCase }: Spelling, text: string, at: number): boolean {
  if (!anyCase) return text.startsWith(spelling, at);
  if (at + spelling.length > text.length) return false;
  for (let index = 0; index < spelling.length; index += 1) {
    const code = text.charCodeAt(at + index);
    const expected = spelling.charCodeAt(index);
    if (code !== expected && ((code ^ expected) !== 0x20 || expected < 0x61 || expected > 0x7a)) return false;
  }
  return true;
}

/** Different pairs may share a number, so the whole spelling is compared at the end. */
const pairAt = (text: string, at: number): number =>
  ((inLowerCase(text.charCodeAt(at)) << 4) ^ inLowerCase(text.charCodeAt(at + 1))) & 0xff;

/** Returns the first position where the spellings differ, ignoring case. */
function firstDifference([first, ...others]: Spelling[], from: number): number {
  if (!first) return from;
  const differs = ({ text }: Spelling, at: number): boolean =>
    inLowerCase(text.charCodeAt(at)) !== inLowerCase(first.text.charCodeAt(at));
  let at = from;
  while (at < first.text.length && !others.some((other) => differs(other, at))) at += 1;
  return at;
}

function groupBy(spellings: Spelling[], key: (spelling: Spelling) => number): Map<number, Spelling[]> {
  const groups = new Map<number, Spelling[]>();
  for (const spelling of spellings) {
    const at = key(spelling);
    const group = groups.get(at);
    if (group) group.push(spelling);
    else groups.set(at, [spelling]);
  }
  return groups;
}
