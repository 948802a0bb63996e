/**
 * Returns the candidates most similar to `word`, closest first, or an empty list if none is close. Returns only one
 * if it is much closer than the others.
 */
export function nearestAll(word: string, candidates: Iterable<string>): string[] {
  const limit = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1);
  const close = [...new Set(candidates)]
    .map((candidate) => ({
      candidate,
      distance: distance(word.toLowerCase(), candidate.toLowerCase(), limit),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  const best = close[0]?.distance ?? 0;
  return close.filter(({ distance }) => distance <= best + 1).map(({ candidate }) => candidate);
}

export const nearest = (word: string, candidates: Iterable<string>): string | undefined =>
  nearestAll(word, candidates)[0];

/** Whether `word` is almost certainly a typo for this candidate. True if at most about one letter in five differs. */
export function isTypoOf(candidate: string, word: string): boolean {
  const limit = Math.max(1, Math.floor(word.length / 5));
  return distance(word.toLowerCase(), candidate.toLowerCase(), limit) <= limit;
}

/** Whether one letter is missing, superfluous, wrong or swapped with the next. */
export const isOneLetterOff = (candidate: string, word: string): boolean =>
  distance(word.toLowerCase(), candidate.toLowerCase(), 1) === 1;

/** Counts insertions, deletions, substitutions and swaps of adjacent characters. Stops when the count exceeds `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
