import { currentScope } from './call-scope.js';

/** Lets the platform see which of the script's calls sent a request. */
export const CALL_HEADER = 'x-platform-call';

/** Returns the call id in the header, if it is one. */
export const callIn = (header: string | undefined): string | undefined =>
  header === undefined || !/^call_\w{1,40}$/.test(header) ? undefined : header;

/** A `fetch` that adds the call id to requests whose URL begins with `own`. */
export function createCallNamingFetch(
  fetch: typeof globalThis.fetch,
  own: string | undefined,
): typeof globalThis.fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const call = currentScope()?.id;
    if (call === undefined || own === undefined || !url.startsWith(own)) return fetch(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set(CALL_HEADER, call);
    return fetch(input, { ...init, headers });
  };
}
