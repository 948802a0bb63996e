import { parseJson } from '../../../base/parse-json.js';
import { isRecord, type Values } from './read-markup.js';

export function parseObject(text: string): Values | undefined {
  const value = parseJson(text, undefined);
  return isRecord(value) ? value : undefined;
}
