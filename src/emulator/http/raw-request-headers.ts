import { CALL_HEADER, callIn } from '../../sandbox/observe/name-call.js';

/**
 * A request's headers in Node's format, as alternating names and values. This format is faster to read than a `Headers`
 * object.
 */
export type RawHeaders = readonly string[];

/** Removes the header that only the platform needs. Returns the id of the script call that sent the request, if known. */
export function takeCall(headers: Record<string, string>): string | undefined {
  const { [CALL_HEADER]: given } = headers;
  if (given !== undefined) delete headers[CALL_HEADER];
  return callIn(given);
}

/** Returns the headers, keyed by name in lower case. */
export function readHeaders(request: Request, raw?: RawHeaders): Record<string, string> {
  if (!raw) return Object.fromEntries(request.headers);
  const headers = new Map<string, string>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const before = headers.get(name);
    const value = raw[i + 1] ?? '';
    headers.set(name, before === undefined ? value : before + (name === 'cookie' ? '; ' : ', ') + value);
  }
  return Object.fromEntries(headers);
}
