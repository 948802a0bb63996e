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
  const finds = groupByStart(spellings);
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
function groupByStart(spellings: string[]): Map<number, Find> {
  const groups = new Map<number, string[]>();
  for (const spelling of [...spellings].sort((a, b) => b.length - a.length)) {
    let start = 0;
    for (let i = 0; i < shortestSecret; i += 1) start = roll(start, spelling, i);
    const group = groups.get(start);
    if (group) group.push(spelling);
    else groups.set(start, [spelling]);
  }
  return new Map(
    [...groups].map(([start, group]) => [start, group.length > few ? findByPrefix(group) : findIn(group)]),
  );
}

const findIn =
  (group: string[]): Find =>
  (text, at) =>
    group.find((spelling) => text.startsWith(spelling, at));

const few = 8;

/** Of each secret some spellings begin with `\u00`: to try them one by one would be slow. */
function findByPrefix(longestFirst: string[]): Find {
  const length = longestFirst.at(-1)?.length ?? 0;
  const byPrefix = new Map<string, string[]>();
  for (const spelling of longestFirst) {
    const prefix = spelling.slice(0, length);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), spelling]);
  }
  return (text, at) => findIn(byPrefix.get(text.slice(at, at + length)) ?? [])(text, at);
}

/** Of the last four characters: each is shifted out by the fourth after it. */
const roll = (before: number, text: string, at: number): number =>
  ((before << 4) ^ text.charCodeAt(at)) & 0xffff;
