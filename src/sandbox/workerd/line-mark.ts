/** Begins each line that a script writes in workerd: the id of its call, between two characters that no text uses. */
const BEGIN = '\u0001';
const TEXT = '\u0002';
const VALUE = '\u0003';

/** The call id of the line that says why the script could not be loaded. */
export const LOAD_FAILED = 'load-failed';

/** Before the call id of a line that reports a promise given to `waitUntil`. */
export const BACKGROUND = 'background ';

/** The arguments of a console method with the mark in front. A text stays the first one: it may be a format. */
export function markArguments(callId: string | undefined, args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args;
  const mark = `${BEGIN}${callId ?? ''}`;
  return typeof first === 'string' ? [`${mark}${TEXT}${first}`, ...rest] : [`${mark}${VALUE}`, ...args];
}

/** The line without its mark; undefined where the runtime itself wrote it. */
export function readMark(line: string): { callId: string | undefined; text: string } | undefined {
  if (!line.startsWith(BEGIN)) return undefined;
  let end = 1;
  while (end < line.length && line[end] !== TEXT && line[end] !== VALUE) end += 1;
  // The console puts a space between a mark that is an argument of its own and the next one.
  const text = line.slice(end + 1);
  return {
    callId: line.slice(1, end) || undefined,
    text: line[end] === VALUE ? text.replace(/^ /, '') : text,
  };
}
