import { currentScope } from './call-scope.js';

/** Tells the platform's own API which call of the script a request is part of. */
export const CALL_HEADER = 'x-platform-call';

/** A `fetch` whose requests to addresses that begin with `api()` carry the id of their call. */
export function createCallNamingFetch(
  fetch: typeof globalThis.fetch,
  api: () => string | undefined,
): typeof globalThis.fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const call = currentScope()?.id;
    const own = api();
    if (call === undefined || own === undefined || !url.startsWith(own)) return fetch(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set(CALL_HEADER, call);
    return fetch(input, { ...init, headers });
  };
}
