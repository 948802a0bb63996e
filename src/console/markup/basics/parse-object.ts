import { isRecord, type Values } from './read-markup.js';

export function parseObject(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
