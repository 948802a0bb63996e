/**
 * Each line that a script writes in workerd begins with the id of its call, between two characters that do
 * not occur in text.
 */
const BEGIN = '\u0001';
const TEXT = '\u0002';
const VALUE = '\u0003';

/** Used instead of a call id in the line with the reason why the script could not be loaded. */
export const LOAD_FAILED = 'load-failed';

/** Comes before the call id in a line that reports a promise passed to `waitUntil`. */
export const BACKGROUND = 'background ';

/**
 * Adds the mark to the arguments of a console method. A first argument that is text stays first, because it
 * may be a format string.
 */
export function markArguments(callId: string | undefined, args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args;
  const mark = `${BEGIN}${callId ?? ''}`;
  return typeof first === 'string' ? [`${mark}${TEXT}${first}`, ...rest] : [`${mark}${VALUE}`, ...args];
}

/** The line without its mark; undefined if the runtime itself wrote the line. */
export function readMark(line: string): { callId: string | undefined; text: string } | undefined {
  if (!line.startsWith(BEGIN)) return undefined;
  let end = 1;
  while (end < line.length && line[end] !== TEXT && line[end] !== VALUE) end += 1;
  // The console puts a space between a mark that is a separate argument and the next argument.
  const text = line.slice(end + 1);
  return {
    callId: line.slice(1, end) || undefined,
    text: line[end] === VALUE ? text.replace(/^ /, '') : text,
  };
}
