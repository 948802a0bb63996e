import { isRecord, type Values } from './read-markup.js';

/** Parses a JSON object. Returns undefined for anything else. */
export function parseObject(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
