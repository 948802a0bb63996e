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
  const finds = groupByStart([...spellings].sort((a, b) => b.length - a.length));
  const maybe = new Uint8Array(65536);
  for (const start of finds.keys()) maybe[start] = 1;

  return (text) => {
    let result = '';
    let copied = 0;
    let last = 0;
    for (let end = 0; end < text.length; end += 1) {
      last = roll(last, text, end);
      if (maybe[last] === 0) continue;
      const at = end + 1 - shortestSecret;
      if (at < copied) continue;
      const found = finds.get(last)?.(text, at);
      if (found === undefined) continue;
      result += text.slice(copied, at) + hidden;
      copied = at + found.length;
      end = copied - 1;
    }
    return copied === 0 ? text : result + text.slice(copied);
  };
}

type Find = (text: string, at: number) => string | undefined;

/** By the sum of their first characters, how to find the longest of these spellings at a place in a text. */
function groupByStart(longestFirst: string[], offset = 0): Map<number, Find> {
  const groups = new Map<number, string[]>();
  for (const spelling of longestFirst) {
    const start = sumAt(spelling, offset);
    const group = groups.get(start);
    if (group) group.push(spelling);
    else groups.set(start, [spelling]);
  }
  return new Map([...groups].map(([start, group]) => [start, findAmong(group, offset + shortestSecret)]));
}

const few = 4;

/** Many spellings begin with `\u00`: to try them one by one would be slow, so the characters that follow decide. */
function findAmong(longestFirst: string[], offset: number): Find {
  const long = longestFirst.filter(({ length }) => length >= offset + shortestSecret);
  if (longestFirst.length <= few || long.length === 0) return findIn(longestFirst);
  const byNext = groupByStart(long, offset);
  const findShort = findIn(longestFirst.slice(long.length));
  return (text, at) => byNext.get(sumAt(text, at + offset))?.(text, at) ?? findShort(text, at);
}

const findIn =
  (group: string[]): Find =>
  (text, at) =>
    group.find((spelling) => text.startsWith(spelling, at));

function sumAt(text: string, at: number): number {
  let sum = 0;
  for (let i = at; i < at + shortestSecret; i += 1) sum = roll(sum, text, i);
  return sum;
}

/** Of the last four characters: each is shifted out by the fourth after it. */
const roll = (before: number, text: string, at: number): number =>
  ((before << 4) ^ text.charCodeAt(at)) & 0xffff;
