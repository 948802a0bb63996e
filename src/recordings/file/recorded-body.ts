import type { ReplayBody } from '../../sandbox/index.js';
import type { RecordedBody } from './recording.js';
import { BODY } from './shared-bodies.js';

const BASE64 = '$base64';

/** Converts a body to its form in the file. Returns undefined if the body is empty. */
export function toRecordedBody(body: ReplayBody | undefined): RecordedBody | undefined {
  if (!body) return undefined;
  if ('base64' in body) return { [BASE64]: body.base64 };
  if (body.text === '') return undefined;
  return readPlainJson(body.text) ?? body.text;
}

export function fromRecordedBody(body: RecordedBody | undefined): ReplayBody | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return { text: body };
  const bytes = (body as { [BASE64]?: unknown })[BASE64];
  return typeof bytes === 'string' ? { base64: bytes } : { text: JSON.stringify(body) };
}

/** Whether a body that should be base64 is. */
export function isReadable(body: RecordedBody): boolean {
  const { [BASE64]: bytes } = body as { [BASE64]?: unknown };
  return typeof bytes !== 'string' || (bytes.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bytes));
}

export function bodyBytes(body: RecordedBody | undefined): Uint8Array {
  const read = fromRecordedBody(body);
  if (!read) return new Uint8Array();
  return 'text' in read ? new TextEncoder().encode(read.text) : Buffer.from(read.base64, 'base64');
}

/** How deeply a body can be nested. A whole recording can have up to 100 levels. */
const DEEPEST = 50;

/** Whether a recording may contain this value. JSON that a recording may not contain is stored as text. */
export function isAllowed(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((inner) => isAllowed(inner, levels - 1));
}

/** Parses JSON text if serializing it again would change nothing but white space. */
function readPlainJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as object;
    if (BASE64 in value || BODY in value || !isAllowed(value)) return undefined;
    return JSON.stringify(value) === withoutSpaces(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes only white space outside of strings. */
const withoutSpaces = (json: string): string => json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
