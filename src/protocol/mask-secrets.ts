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
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))];
  return Object.assign(maskSpellings(spellings), { spellings });
};

/**
 * Returns a function that replaces these strings. Each must have at least four characters. If two start at
 * the same position, the longer one wins.
 */
export function maskSpellings(spellings: string[], hidden = hiddenSecret): (text: string) => string {
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

  return (text) => {
    let result = '';
    let copied = 0;
    let last = 0;
    for (let end = 0; end < text.length; end += 1) {
      // A copy of sumOfStart, because calling a shared function here is three times as slow.
      last = ((last << 4) ^ text.charCodeAt(end)) & 0xffff;
      if (maybe[last] === 0) continue;
      const at = end + 1 - shortestSecret;
      if (at < copied) continue;
      const found = findLongest(groupAt(last), text, at);
      if (found === undefined) continue;
      result += text.slice(copied, at) + hidden;
      copied = at + found.length;
      end = copied - 1;
    }
    return copied === 0 ? text : result + text.slice(copied);
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
