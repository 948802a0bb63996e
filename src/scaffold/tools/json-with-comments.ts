import { textsIn } from './scan-code.js';
import { parseObject } from './parse-object.js';

export const parseJsonWithComments = (text: string): Record<string, unknown> | undefined =>
  parseObject(text, (found) => JSON.parse(plainJson(found)));

function plainJson(text: string): string {
  const endOfText = textsIn(text);
  const plain: string[] = [];
  let comma: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const end = endOfText(at) ?? at + 1;
    const part = text.slice(at, end);
    at = end - 1;
    if (/^['`/]/.test(part)) continue;
    if ((part === '}' || part === ']') && comma !== undefined) plain[comma] = '';
    if (/\S/.test(part)) comma = part === ',' ? plain.length : undefined;
    plain.push(part);
  }
  return plain.join('');
}
