import { HttpError, invalid } from './http-error.js';

const largest = 1024 * 1024;

/** The JSON object in the body of a request to the platform itself. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The same answer as for what is no object.
  }
  throw invalid('The body has to be a JSON object.');
}

export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > largest) throw tooLarge();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of request.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > largest) throw tooLarge();
  }
  return text + decoder.decode();
}

const tooLarge = (): HttpError => new HttpError(413, 'too_large', 'The body is larger than 1 MiB.');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
