import { isRecord } from '../../base/value-at-path.js';

/** Parses a JSON object. Returns undefined if the text is not an object or is nested too deeply to be written back. */
export function parseObject(
  text: string,
  parse: (text: string) => unknown,
): Record<string, unknown> | undefined {
  try {
    const value = parse(text);
    JSON.stringify(value);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
