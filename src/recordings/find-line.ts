import type { StackFrame } from '../base/text/stack-frame.js';
import type { ReplayDifference } from './compare-outcome.js';
import type { SourceLine } from './open-replayed-project.js';

const MOST_TEXTS = 40;

/**
 * Returns the only line in the sources that contains text that is new in the replay and that did not come from the call's
 * inputs.
 */
export function findLine(
  difference: ReplayDifference,
  inputs: string,
  lines: readonly SourceLine[],
): StackFrame | undefined {
  for (const text of newTexts(difference, inputs)) {
    const found = lines.flatMap((line) => {
      const at = indexOfWhole(line.text, text);
      return at === -1 ? [] : [{ path: line.path, line: line.line, column: at + 1 }];
    });
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** Returns the strings that are in neither the recorded result nor the inputs, longest first. */
function newTexts({ kind, before, after }: ReplayDifference, inputs: string): string[] {
  const old = new Set(before.split('\n'));
  const lines = after.split('\n');
  const known = new Set([...wordsIn(before), ...wordsIn(inputs)]);
  const isNew = (text: string): boolean => {
    const words = wordsIn(text);
    if (words.some((word) => word.length > 1 && !known.has(word))) return true;
    return words.length > 1 && !before.includes(text) && !inputs.includes(text);
  };
  const changed = lines.filter((line) => !old.has(line));
  const status = kind === 'response' ? /^status (\d+)$/.exec(changed[0] ?? '')?.[1] : undefined;
  // A number in a body was probably calculated, so the sources are not searched for it.
  const body = kind === 'response' ? lines.indexOf('') : -1;
  const ofBody = new Set(body === -1 ? [] : lines.slice(body));
  const texts = changed.flatMap((line) =>
    [...pieces(line)].filter((text) => isNew(text) && !(ofBody.has(line) && /^\W*\d+\W*$/.test(text))),
  );
  const unique = [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, MOST_TEXTS);
  return [...unique, ...(status === undefined ? [] : [`status: ${status}`])];
}

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * Yields the parts of a line in the forms in which they may be written in the sources, between quotes, brackets and other
 * punctuation.
 */
function* pieces(line: string): Iterable<string> {
  if (line.length > 10_000) return;
  for (const phrase of line.match(/[^"\\:,{}[\]<>=]{2,}/g) ?? []) yield phrase.trim();
  for (const run of line.match(/\S{2,}/g) ?? []) yield run;
  for (const word of line.match(/[^\p{L}\p{N}_\s"\\]?[\p{L}\p{N}_]+[^\p{L}\p{N}_\s"\\]?/gu) ?? []) yield word;
  yield* line.match(/[\p{L}\p{N}_-]{2,}/gu) ?? [];
}

const inWord = /[\p{L}\p{N}_]/u;

/** Like `indexOf`, but does not match in the middle of a word. */
function indexOfWhole(line: string, text: string): number {
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + text.length]];
    const starts = !inWord.test(text[0] ?? '') || !inWord.test(before);
    const ends = !inWord.test(text.at(-1) ?? '') || !inWord.test(after);
    if (starts && ends) return at;
  }
  return -1;
}
