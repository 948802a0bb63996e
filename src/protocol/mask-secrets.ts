import { shortestSecret, spellingsOf } from './secret-spellings.js';

/** Hides secrets in texts that people and other programs may see. */
export interface Mask {
  (text: string): string;
  /** Every spelling that is looked for. */
  spellings: string[];
}

export const hiddenSecret = '•••';

/** Finds each secret however programs write it. */
export const createMask = (secrets: Iterable<string>): Mask => {
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))];
  return Object.assign(maskSpellings(spellings), { spellings });
};

/** Replaces these exact texts, four characters long or more; of two that begin at the same place, the longer. */
export function maskSpellings(spellings: string[], hidden = hiddenSecret): (text: string) => string {
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const byStart = groupBy(longestFirst, sumOfStart);
  const maybe = new Uint8Array(65536);
  for (const start of byStart.keys()) maybe[start] = 1;
  // Most of them begin no text, and masks are made anew with each new secret.
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
      // As in sumOfStart. A function of both is not inlined here, and takes three times as long.
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

/** Of the first four characters: each is shifted out by the fourth after it. */
function sumOfStart(text: string): number {
  let sum = 0;
  for (let at = 0; at < shortestSecret; at += 1) sum = ((sum << 4) ^ text.charCodeAt(at)) & 0xffff;
  return sum;
}

/**
 * Spellings that begin alike. Many begin with `\u00`: to try them one by one would be slow, so two characters from
 * `offset`, where they begin to differ, decide which group is looked at next.
 */
interface Group {
  offset: number;
  next: (Group | undefined)[] | undefined;
  /** Too short to be in `next`, the longest first. */
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

/** Different pairs may have the same number: the spelling is compared as a whole in the end. */
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
