import { isRecord } from '../../base/value-at-path.js';

/**
 * The JSON object in a text. Undefined if there is no object, or if it is nested so deeply that it cannot be written
 * again.
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
