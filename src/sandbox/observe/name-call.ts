import { currentScope } from './call-scope.js';

/** Lets the platform's own API see which of the script's calls sent a request. */
export const CALL_HEADER = 'x-platform-call';

/** A `fetch` that adds the call id to requests whose URL begins with `api`. */
export function createCallNamingFetch(
  fetch: typeof globalThis.fetch,
  api: string | undefined,
): typeof globalThis.fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const call = currentScope()?.id;
    if (call === undefined || api === undefined || !url.startsWith(api)) return fetch(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set(CALL_HEADER, call);
    return fetch(input, { ...init, headers });
  };
}
