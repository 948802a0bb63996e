import type { StackFrame } from '../base/text/stack-frame.js';
import type { ReplayDifference } from './compare-outcome.js';
import type { SourceLine } from './open-replayed-project.js';

const MOST_TEXTS = 40;
const LONGEST_LINE = 10_000;

/**
 * Looks for text that is new in the replay and did not come from the call's inputs. If only one source line contains such
 * text, returns that line.
 */
export function findLine(
  difference: ReplayDifference,
  inputs: string,
  lines: readonly SourceLine[],
): StackFrame | undefined {
  const onlyLine = (indexIn: (text: string) => number): StackFrame | undefined => {
    const found = lines.flatMap(({ path, line, text }) => {
      const at = indexIn(text);
      return at === -1 ? [] : [{ path, line, column: at + 1 }];
    });
    return found.length === 1 ? found[0] : undefined;
  };
  for (const text of newTexts(difference, inputs)) {
    const found = onlyLine((line) => indexOfWhole(line, text));
    if (found) return found;
  }
  for (const value of newValues(difference, inputs)) {
    const found = onlyLine((line) => indexOfAny(line, inQuotes(value)));
    if (found) return found;
  }
  for (const spellings of textsBesideValues(difference)) {
    const found = onlyLine((line) => indexOfAny(line, spellings));
    if (found) return found;
  }
  return undefined;
}

/** Returns the strings found in neither the recorded result nor the inputs, longest first. */
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

/**
 * Compares the changed lines value by value and returns whatever is new: values, such as `read` in `?scope=read`, and
 * separators, such as the `;` between columns. Only whole strings are searched for, because they may consist of known words
 * or contain no words at all.
 */
function newValues(difference: ReplayDifference, inputs: string): string[] {
  const known = new Set(difference.before.split('\n').flatMap(valuesIn));
  const given = new Set(wordsIn(inputs));
  const values = alignedLines(difference).flatMap(({ were, are }) =>
    are.filter((value, index) => value !== were[index]),
  );
  const found = values.filter((value) => !known.has(value) && !given.has(value) && !/^\d+$/.test(value));
  return [...new Set(found)].slice(0, MOST_TEXTS);
}

/** Returns each line's values before and after, if the lines and values can be paired. */
function alignedLines({ before, after }: ReplayDifference): { were: string[]; are: string[] }[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length !== now.length) return [];
  return now.flatMap((line, at) => {
    if (line.length > LONGEST_LINE) return [];
    const [were, are] = [valuesIn(old[at] ?? ''), valuesIn(line)];
    return were.length === are.length ? [{ were, are }] : [];
  });
}

/** Splits a line into values and the separators between them. */
const valuesIn = (line: string): string[] => line.match(/[\p{L}\p{N}_.+%-]+|[^\p{L}\p{N}_.+%-]+/gu) ?? [];

/**
 * Returns the constant text before and after each changed value, such as the ` %` in `50 %`, in the spellings that a source
 * may contain. The value itself may be calculated, but probably on the source line that contains the constant text.
 */
function textsBesideValues(difference: ReplayDifference): string[][] {
  const texts = alignedLines(difference).flatMap(({ were, are }) => {
    const changed = are.flatMap((value, index) => (value === were[index] ? [] : [index]));
    const [first, last] = [changed[0], changed.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [left = ''] = /[^"<>]*$/.exec(are.slice(0, first).join('')) ?? [];
    const [right = ''] = /^[^"<>]*/.exec(are.slice(last + 1).join('')) ?? [];
    return [
      { text: left, spellings: [...inQuotes(left), `\`${left}\${`, `}${left}\${`, `>${left}{`] },
      { text: right, spellings: [...inQuotes(right), `}${right}\``, `}${right}\${`, `}${right}<`] },
    ];
  });
  return texts
    .filter(({ text }) => /[^\s:,]/.test(text))
    .slice(0, MOST_TEXTS)
    .map(({ spellings }) => spellings);
}

const inQuotes = (text: string): string[] => [`'${text}'`, `"${text}"`, `\`${text}\``];

const indexOfAny = (line: string, spellings: readonly string[]): number =>
  Math.max(...spellings.map((spelling) => line.indexOf(spelling)));

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Splits a line at quotes, brackets and other punctuation, and yields each part in the spellings that a source may contain. */
function* pieces(line: string): Iterable<string> {
  if (line.length > LONGEST_LINE) return;
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
