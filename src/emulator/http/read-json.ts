import { HttpError, invalid } from './http-error.js';

/** Reads the JSON object in the body of a request addressed to the platform itself. */
export async function readJson(request: Request, maxMiB = 1): Promise<Record<string, unknown>> {
  const text = await readText(request, maxMiB);
  if (text.trim() === '') return {};
  if (nestsTooDeep(text)) throw invalid(`The body is nested deeper than ${deepest} levels.`);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Invalid JSON is reported below, in the same way as JSON that is not an object.
  }
  throw invalid('The body must be a JSON object.');
}

/** Deeper nesting would overflow the stack in recursive functions. Editors and scripts never nest values this deeply. */
const deepest = 200;

/** Counts the brackets outside of strings. If the text is not JSON, the parser reports it. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let n = 0; n < text.length; n += 1) {
    const sign = text[n];
    if (quoted && sign === '\\') n += 1;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

export async function readText(request: Request, maxMiB = 1): Promise<string> {
  const largest = maxMiB * 1024 * 1024;
  if (Number(request.headers.get('content-length') ?? 0) > largest) throw tooLarge(maxMiB);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of request.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > largest) throw tooLarge(maxMiB);
  }
  return text + decoder.decode();
}

const tooLarge = (maxMiB: number): HttpError =>
  new HttpError(413, 'too-large', `The body is larger than ${maxMiB} MiB.`);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
