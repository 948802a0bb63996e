import type { Timers } from '../../base/clock.js';

const mostSimilar = 5;
const leastSimilarity = 0.4;
/** How long to block other work in the process. */
const sliceMs = 4;

/** Returns the items whose titles are the most similar to the words, for example if a word is misspelled. */
export async function findSimilar<Item>(
  items: readonly Item[],
  titleOf: (item: Item) => string,
  words: readonly string[],
  timers: Pick<Timers, 'monotonic'>,
): Promise<Item[]> {
  const wanted = words.map(pairsIn);
  const found: { item: Item; similarity: number }[] = [];
  let began = timers.monotonic();
  for (const item of items) {
    const title = titleOf(item)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .map(pairsIn);
    const best = wanted.map((pairs) => Math.max(...title.map((other) => similarity(pairs, other))));
    const sum = best.reduce((all, one) => all + one, 0);
    if (sum / words.length >= leastSimilarity) found.push({ item, similarity: sum });
    if (timers.monotonic() - began < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = timers.monotonic();
  }
  return found
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, mostSimilar)
    .map(({ item }) => item);
}

/** Returns the pairs of neighbouring letters in a word. */
const pairsIn = (word: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2)));

/** Returns how many of their pairs two words share, from 0 to 1. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / Math.max(1, one.size + other.size);
}
