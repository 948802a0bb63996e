import { plainTlsError } from './innermost-error.js';
import { readStackFrame, type StackFrame } from './stack-frame.js';

/** An error thrown by a script, read from its log or its stack. */
export interface ThrownError {
  /** The first line of the error, such as `TypeError: fetch failed`. */
  message: string;
  /** The first position in the author's sources, relative to the project folder. */
  position?: StackFrame;
  /** The package that threw the error, if it was not thrown in the author's sources. */
  package?: string;
}

/** Absolute paths and URLs are not part of the author's code. */
const isRelative = ({ path }: StackFrame): boolean => !path.startsWith('/') && !path.includes(':');

/** Matches paths in installed packages, in Node, and in this package if it is a linked checkout. */
const outside = /(?:^|[/\\])node_modules[/\\]|^node:|(?:^|[/\\])dist[/\\](?:runtime|sandbox|sdk)[/\\]/;

const inPackage = /(?:^|[/\\])node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/;

/** Matches a cause, which Node prints below the stack. A cause that has no stack is printed in brackets. */
const causedBy = /^\s+\[cause\]: \[?(?:(?:Socket)?Error: )?(.*?)\]?$/;

/** Parses an error and its stack. Positions in the stack must already refer to the author's files. */
export function readThrownError(text: string): ThrownError {
  // Scripts control this text, so each line is parsed separately and only once.
  const [first = '', ...rest] = text.split('\n');
  const cause = rest.map((line) => causedBy.exec(line)?.[1]).find((found) => found !== undefined);
  const head = first.replace(/^\[[\w-]+\] /, '');
  // The first line ends with a brace if the error has a cause but no stack.
  const message = cause === undefined ? head : `${head.replace(/ \{$/, '')} (${plainTlsError(cause)})`;
  const frames = rest
    .map(readStackFrame)
    .filter((found) => found !== undefined)
    .filter(isRelative);
  const position = frames.find(isAuthors);
  const name = inPackage.exec(frames[0]?.path ?? '')?.[1];
  return { message, ...(name !== undefined && { package: name }), ...(position && { position }) };
}

const isAuthors = ({ path }: StackFrame): boolean => !outside.test(path);

/** Returns the author's frames in a stack, innermost first. */
export const authorsFrames = (stack: string): StackFrame[] =>
  stack
    .split('\n')
    .map(readStackFrame)
    .filter((found) => found !== undefined)
    .filter((found) => isRelative(found) && isAuthors(found));

const innerFrame = /^\s+at (?:(?:async )?[\w$.<>]+ )?\(?(?:<anonymous>|native|index \d+)\)?(?: \{)?$/;

/** Consecutive lines of a logged error. Either all of them are stack frames outside the author's code, or none are. */
export interface StackRun {
  foreign: boolean;
  lines: string[];
}

export function stackRuns(text: string): StackRun[] {
  const runs: StackRun[] = [];
  for (const line of text.split('\n')) {
    const file = readStackFrame(line)?.path;
    const foreign = file === undefined ? innerFrame.test(line) : outside.test(file);
    const last = runs.at(-1);
    if (last?.foreign === foreign) last.lines.push(line);
    else runs.push({ foreign, lines: [line] });
  }
  return runs;
}

export interface FoldedLine {
  text: string;
  folded: boolean;
}

/** Splits a logged error into lines. Consecutive frames outside the author's sources are merged into a single line. */
export const foldStack = (text: string): FoldedLine[] =>
  stackRuns(text).flatMap(({ foreign, lines }): FoldedLine | FoldedLine[] => {
    if (!foreign) return lines.map((line) => ({ text: line, folded: false }));
    const margin = /^\s*/.exec(lines[0] ?? '')?.[0] ?? '';
    const count = lines.length === 1 ? '1 frame' : `${lines.length} frames`;
    const brace = lines.at(-1)?.endsWith(' {') ? ' {' : '';
    return { text: `${margin}… ${count} outside of your code${brace}`, folded: true };
  });

/** The prefix that the runtime adds to an error thrown by a handler. */
const thrownByHandler = /^\[integrations\] /;

/**
 * Finds the log line for the error that made a call fail. This is the error that the call's handler threw or, if it
 * threw none, the last error in the log.
 */
export function errorLineOf<Line extends { level: string; text: string }>(
  logs: readonly Line[],
): Line | undefined {
  const errors = logs.filter(({ level }) => level === 'error');
  return errors.findLast(({ text }) => thrownByHandler.test(text)) ?? errors.at(-1);
}
