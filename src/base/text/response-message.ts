import { parseJson } from '../parse-json.js';
import { nestsTooDeep } from './json-depth.js';

/** The fields in which services explain an error, the most detailed first. */
const fields = ['error_description', 'message', 'detail', 'reason', 'error', 'title'];
const longest = 200;

/** Returns what the body of a response says about an error, in one line. Returns undefined for a page or any other body. */
export function responseMessage(body: string): string | undefined {
  const text = body.trim();
  const found = /^[[{"]/.test(text)
    ? messageIn(nestsTooDeep(text) ? undefined : parseJson(text, undefined))
    : text.startsWith('<')
      ? ''
      : text;
  const line = found.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line === '' || line.length > longest || line.includes('\ufffd') ? undefined : line;
}

/** The result of a request that received a response, with only an error's message from the body. */
export function withMessage(
  status: number,
  body: () => string,
): { kind: 'answer'; status: number; message?: string } {
  const message = status < 300 ? undefined : responseMessage(body());
  return { kind: 'answer', status, ...(message !== undefined && { message }) };
}

function messageIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return messageIn(value[0]);
  const named = new Map(Object.entries(value));
  for (const field of [...fields, 'errors']) {
    const message = messageIn(named.get(field));
    if (message !== '') return message;
  }
  return '';
}
