import { isTypoOf, nearestAll } from '../../../base/did-you-mean.js';
import type { Fix } from './rule-context.js';
import { alternatives } from './list-in-words.js';

/** The maximum number of words to search. Limited because a list in a file can be any length. */
const maxCandidates = 200;

/** Returns the help and the fix for an unknown word. There is a fix only if it is clear which known word was meant. */
export function suggest(
  word: string,
  candidates: readonly string[],
  { kind, otherwise }: { kind: 'rename' | 'replace'; otherwise: string },
): { help: string; fix?: Fix } {
  const [first, ...others] = nearestAll(word, candidates.slice(0, maxCandidates));
  if (first === undefined) return { help: otherwise };
  if (others.length > 0) return { help: `Did you mean ${alternatives([first, ...others].slice(0, 3))}?` };
  const help = `Did you mean ${first}?`;
  return isTypoOf(first, word) ? { help, fix: { kind, text: first } } : { help };
}

/**
 * Returns the help and the fix for an unknown map key or list item. If the likely intended word is already there, the help
 * says to remove the unknown one.
 */
export function suggestFree(
  word: string,
  candidates: readonly string[],
  isTaken: (candidate: string) => boolean,
  how: { kind: 'rename' | 'replace'; otherwise: string },
): { help: string; fix?: Fix } {
  const [first] = nearestAll(word, candidates.slice(0, maxCandidates));
  const where = how.kind === 'rename' ? 'here' : 'in the list';
  if (first !== undefined && isTaken(first))
    return { help: `Did you mean ${first}? It already exists ${where}, so remove this one.` };
  const free = candidates.filter((candidate) => !isTaken(candidate));
  return suggest(word, free, how);
}
