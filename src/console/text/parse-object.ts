import { isRecord, type Values } from '../markup/read-markup.js';

/** A JSON object, or nothing while it is none yet. */
export function parseObject(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
