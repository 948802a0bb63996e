/** A place in a source, relative to the project's folder. Lines and columns count from 1. */
export interface SourcePlace {
  path: string;
  line: number;
  column: number;
}

/** An error that a script threw, as its log or its own stack has it. */
export interface ThrownError {
  /** Its first line, such as `TypeError: fetch failed`. */
  message: string;
  /** The first place in the author's sources. */
  place?: SourcePlace;
  /** The package that threw it, where the author's sources did not. */
  package?: string;
}

/** A line of a stack: `at render (src/index.tsx:6:11)`. Absolute paths are not the author's. */
const frame = /^\s+at (?:.*\()?((?:\.\.\/)*[^\s():/][^():]*):(\d+):(\d+)\)?(?: \{)?$/gm;

/** Packages, Node, and this package in a linked checkout. */
const outside = /(?:^|[/\\])node_modules[/\\]|^node:|(?:^|[/\\])dist[/\\](?:runtime|sandbox|sdk)[/\\]/;

const inPackage = /(?:^|[/\\])node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/;

/** As Node prints it, under the stack. */
const causedBy = /\n\s+\[cause\]: (?:Error: )?(.*)/;

/** Reads an error with its stack, where the places are those of the author's files. */
export function readThrownError(text: string): ThrownError {
  const [first = ''] = text.split('\n');
  const [, cause] = causedBy.exec(text) ?? [];
  const message = first.replace(/^\[[\w-]+\] /, '') + (cause === undefined ? '' : ` (${cause})`);
  const frames = [...text.matchAll(frame)];
  const [, path, line, column] = frames.find(([, found = '']) => !outside.test(found)) ?? [];
  const name = inPackage.exec(frames[0]?.[1] ?? '')?.[1];
  return {
    message,
    ...(name !== undefined && { package: name }),
    ...(path !== undefined && { place: { path, line: Number(line), column: Number(column) } }),
  };
}

/** Where an error has a cause or other properties, its last frame opens their braces. */
const ownFrame = /^\s+at .*?([^\s()]+):\d+:\d+\)?(?: \{)?$/;
const innerFrame = /^\s+at (?:(?:async )?[\w$.<>]+ )?\(?(?:<anonymous>|native)\)?(?: \{)?$/;

/** Consecutive lines of a logged error: either all from the author's code, or all frames from elsewhere. */
export interface StackRun {
  foreign: boolean;
  lines: string[];
}

export function stackRuns(text: string): StackRun[] {
  const runs: StackRun[] = [];
  for (const line of text.split('\n')) {
    const file = ownFrame.exec(line)?.[1];
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

/** The lines of a logged error; each run of frames outside of the author's sources is one line. */
export const foldStack = (text: string): FoldedLine[] =>
  stackRuns(text).flatMap(({ foreign, lines }): FoldedLine | FoldedLine[] => {
    if (!foreign) return lines.map((line) => ({ text: line, folded: false }));
    const margin = /^\s*/.exec(lines[0] ?? '')?.[0] ?? '';
    const count = lines.length === 1 ? '1 frame' : `${lines.length} frames`;
    const brace = lines.at(-1)?.endsWith(' {') ? ' {' : '';
    return { text: `${margin}… ${count} outside of your code${brace}`, folded: true };
  });

/** What the runtime puts before an error that a handler threw. */
const thrownByHandler = /^\[integrations\] /;

/** The error that made a call fail: what its handler threw, or else the last error it logged. */
export function errorOfCall(logs: readonly { level: string; text: string }[]): ThrownError | undefined {
  const errors = logs.filter(({ level }) => level === 'error');
  const thrown = errors.findLast(({ text }) => thrownByHandler.test(text)) ?? errors.at(-1);
  return thrown && readThrownError(thrown.text);
}
