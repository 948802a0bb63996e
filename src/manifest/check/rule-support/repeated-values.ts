import { textsAt } from '../../../base/value-at-path.js';
import type { ManifestFinding } from './rule-context.js';

/** Returns the positions of strings that also occur earlier in the list. */
export function findRepeated(
  texts: readonly { text: string; index: number }[],
): { text: string; index: number; first: number }[] {
  const seen = new Map<string, number>();
  const repeated: { text: string; index: number; first: number }[] = [];
  for (const { text, index } of texts) {
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else repeated.push({ text, index, first });
  }
  return repeated;
}

export function* reportRepeated(
  manifest: Record<string, unknown>,
  key: string,
  word: string,
): Iterable<ManifestFinding> {
  for (const { text, index } of findRepeated(textsAt(manifest, key)))
    yield {
      message: `The ${word} ${text} is already in the list.`,
      help: 'Remove this one.',
      path: [key, index],
      fix: { kind: 'remove' },
    };
}
