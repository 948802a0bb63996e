/**
 * In workerd, each line that a script writes starts with the call id between two characters that do not occur in
 * ordinary text.
 */
const BEGIN = '\u0001';
const TEXT = '\u0002';
const VALUE = '\u0003';

/** Replaces the call id in the line that explains why the script could not be loaded. */
export const LOAD_FAILED = 'load-failed';

/** Precedes the call id in a line that reports a promise passed to `waitUntil`. */
export const BACKGROUND = 'background ';

/**
 * Adds the marker to the arguments of a console method. A string in the first argument stays first, because it may be
 * a format string.
 */
export function markArguments(callId: string | undefined, args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args;
  const mark = `${BEGIN}${callId ?? ''}`;
  return typeof first === 'string' ? [`${mark}${TEXT}${first}`, ...rest] : [`${mark}${VALUE}`, ...args];
}

/** Returns the line without its marker. Returns undefined if the runtime itself wrote the line. */
export function readMark(line: string): { callId: string | undefined; text: string } | undefined {
  if (!line.startsWith(BEGIN)) return undefined;
  let end = 1;
  while (end < line.length && line[end] !== TEXT && line[end] !== VALUE) end += 1;
  // If the marker is a separate argument, the console puts a space between it and the next argument.
  const text = line.slice(end + 1);
  return {
    callId: line.slice(1, end) || undefined,
    text: line[end] === VALUE ? text.replace(/^ /, '') : text,
  };
}
