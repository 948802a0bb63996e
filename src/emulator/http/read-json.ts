import { parseJson } from '../../base/parse-json.js';
import { deepestJson, nestsTooDeep } from '../../base/text/json-depth.js';
import { HttpError, invalid } from './http-error.js';

/** Reads the JSON object in the body of a request addressed to the platform itself. */
export async function readJson(request: Request, maxMiB = 1): Promise<Record<string, unknown>> {
  const text = await readText(request, maxMiB);
  if (text.trim() === '') return {};
  if (nestsTooDeep(text)) throw invalid(`The body is nested deeper than ${deepestJson} levels.`);
  const value = parseJson(text, undefined);
  if (isObject(value)) return value;
  throw invalid('The body must be a JSON object.');
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
