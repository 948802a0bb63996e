import { parseJson } from '../base/parse-json.js';
import type { StackFrame } from '../base/text/stack-frame.js';
import type { ReplayDifference } from './compare-outcome.js';
import type { SourceLine } from './open-replayed-project.js';

const MOST_TEXTS = 40;
const LONGEST_LINE = 10_000;
const LONGEST_STATEMENT = 40;

/** Where the source is searched. `from` and `to` limit a line to a part of a statement. */
type Part = SourceLine & { from?: number; to?: number };

/**
 * Returns the only place where a text that differs is written, in the statements that sent the request or created the
 * response, or else in all sources. If the old text is also written there, the script chose between the two, so the change is
 * elsewhere.
 */
export function findLine(
  difference: Pick<ReplayDifference, 'before' | 'after'>,
  inputs: string,
  frames: readonly StackFrame[],
  lines: readonly SourceLine[],
): StackFrame | undefined {
  const statements = frames.map((frame) => statementAt(frame, lines));
  for (const [old, now] of changedTexts(difference).slice(0, MOST_TEXTS)) {
    for (const spelled of [quoted, (text: string): string[] => (isWord.test(text) ? [text] : [])]) {
      const places = (text: string, scope: readonly Part[]): StackFrame[] =>
        text === '' ? [] : placesOf(spelled(text), scope);
      const statement = statements.find((each) => places(now, each).length > 0);
      // A word from the inputs may also be a word in any other text of the statement.
      const isWritten = statement !== undefined && (spelled === quoted || !/\p{L}/u.test(now));
      if (!isWritten && [old, now].some((text) => hasLetter.test(text) && indexOfWhole(inputs, text) !== -1))
        continue;
      // One digit is written in many places.
      if (!statement && /^\d?$/.test(now)) continue;
      const [found, ...more] = places(now, statement ?? lines);
      if (!found) continue;
      const isChoice = places(old, statement && !/\W/.test(old) ? statement : lines).length > 0;
      return more.length > 0 || isChoice || (old === '' && isOption(found, lines)) ? undefined : found;
    }
  }
  return undefined;
}

/** Recorded headers have lower-case names. */
const quoted = (text: string): string[] =>
  [...new Set([text, text.replaceAll(/(?<=^|-)[a-z](?=[a-z\d-]*$)/g, (letter) => letter.toUpperCase())])]
    .slice(0, text.includes('-') ? 2 : 1)
    .flatMap((name) => ["'", '"', '`'].map((mark) => mark + name + mark))
    .concat(`>${text}<`);
const isWord = /[\p{L}\p{N}]{2}|^\d$/u;
const hasLetter = /[\p{L}\p{N}]/u;

/** Whether the line is in an alternative that an earlier line chooses. */
function isOption({ path, line }: StackFrame, lines: readonly SourceLine[]): boolean {
  const indent = (text = ''): number => text.search(/\S/);
  const above = lines.filter((other) => other.path === path && other.line <= line).reverse();
  let margin = indent(above[0]?.text);
  return above.some(({ text }) => {
    if (indent(text) === -1 || indent(text) >= margin) return false;
    margin = indent(text);
    return /(?:\?|:|&&|\|\|)\s*\(?$/.test(text.trimEnd());
  });
}

/** Pairs each changed line with the one that it replaces, and yields what differs: first whole strings, then parts of them. */
function changedTexts({ before, after }: Pick<ReplayDifference, 'before' | 'after'>): [string, string][] {
  const [old, now] = [before, after].map((text) =>
    text.split('\n').map((line) => withoutPercents(line.replace(/,$/, ''))),
  );
  const [removed, added] = [linesOnlyIn(old, now), linesOnlyIn(now, old)];
  if (removed.length === 0) return added.flatMap(valuesIn).map((text) => ['', text]);
  if (removed.length !== added.length) return [];
  return removed.flatMap((line, at) => differingTexts(line, added[at] ?? ''));
}

function linesOnlyIn(lines: readonly string[] = [], others: readonly string[] = []): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1 && line.length <= LONGEST_LINE;
  });
}

/** A new name of a field may have been written before, so only values are searched. */
const valuesIn = (line: string): string[] => [
  ...fieldForms(line),
  ...[...line.matchAll(/"((?:[^"\\]|\\.)+)"(?!:)/g)].map(([, text = '']) => unescaped(text)),
];

/** A field as a property of an object and of an element. */
const fieldForms = (line: string): string[] =>
  [': $2', '={$2}'].map((form) => line.replace(/^\s*"([\w$]+)": (true|false|\d+)$/, `$1${form}`));

/** What ends a string, a query parameter, a phrase, a part of a URL and a word. */
const boundaries = [
  /"/,
  /["'`<>,;{}()[\]?&=#]/,
  /[\s"'`<>,;{}()[\]]/,
  /[\s"'`<>,;{}()[\]/?&=:#]/,
  /[^\p{L}\p{N}_]/u,
];

function differingTexts(before: string, after: string): [string, string][] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const grown = (text: string, boundary: RegExp): string => {
    let [from, to] = [head, text.length - tail];
    while (from > 0 && !boundary.test(text[from - 1] ?? '')) from -= 1;
    while (to < text.length && !boundary.test(text[to] ?? '')) to += 1;
    return text.slice(from, to).trim();
  };
  const names = [before, after].map((line) => /^\s*"([\w$]+":)/.exec(line)?.[1]?.replace('"', '') ?? '');
  const fields = fieldForms(before).map((old, at): [string, string] => [old, fieldForms(after)[at] ?? '']);
  const pairs: [string, string][] = [[names[0] ?? '', names[1] ?? ''], ...fields];
  for (const boundary of boundaries) pairs.push([grown(before, boundary), grown(after, boundary)]);
  const [old = [], now = []] = [before, after].map(
    (text) => text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu) ?? [],
  );
  if (old.length === now.length) now.forEach((text, at) => pairs.push([old[at] ?? '', text]));
  return pairs
    .filter(([from, to]) => to !== '' && from !== to)
    .flatMap((pair) => [pair, pair.map(unescaped) as [string, string]]);
}

const unescaped = (text: string): string => parseJson(`"${text}"`, text) as string;

function withoutPercents(line: string): string {
  try {
    return line.includes('%') ? decodeURIComponent(line.replaceAll('+', ' ')) : line;
  } catch {
    return line;
  }
}

/** Returns the rest of a statement: from the frame to the end of the brackets that open there. */
function statementAt({ path, line, column }: StackFrame, lines: readonly SourceLine[]): Part[] {
  const first = lines.findIndex((other) => other.path === path && other.line === line);
  const parts: Part[] = [];
  let depth = 0;
  for (const part of first === -1 ? [] : lines.slice(first, first + LONGEST_STATEMENT)) {
    if (part.path !== path) break;
    const from = parts.length === 0 ? column - 1 : 0;
    let to = from;
    let opened = false;
    for (; to < part.text.length && depth >= 0; to += 1) {
      const change =
        Number('([{'.includes(part.text[to] ?? '')) - Number(')]}'.includes(part.text[to] ?? ''));
      depth += change;
      opened ||= change > 0;
    }
    parts.push({ ...part, from, to });
    if (depth < 0 || (depth === 0 && (opened || parts.length > 1))) break;
  }
  return parts;
}

function placesOf(spellings: readonly string[], lines: readonly Part[]): StackFrame[] {
  return lines.flatMap(({ path, line, text, from = 0, to = text.length }) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(text)) return [];
    const places: StackFrame[] = [];
    for (const spelling of spellings)
      for (let at = indexOfWhole(text, spelling, from); at !== -1; at = indexOfWhole(text, spelling, at + 1))
        if (at + spelling.length <= to) places.push({ path, line, column: at + 1 });
    return places;
  });
}

const inWord = /[\p{L}\p{N}_]/u;

/** Like `indexOf`, but does not match in the middle of a word. */
function indexOfWhole(line: string, text: string, from = 0): number {
  for (let at = line.indexOf(text, from); at !== -1; at = line.indexOf(text, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + text.length]];
    const starts = !inWord.test(text[0] ?? '') || !inWord.test(before);
    const ends = !inWord.test(text.at(-1) ?? '') || !inWord.test(after);
    if (starts && ends) return at;
  }
  return -1;
}
