import { isRecord } from '../../base/value-at-path.js';

/**
 * Parses a JSON object. Returns undefined if the text does not contain an object, or contains one that is nested too deeply to be
 * written again.
 */
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
