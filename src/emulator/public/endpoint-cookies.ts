import { createHash } from 'node:crypto';
import { isFromBrowser } from '../http/check-host-and-origin.js';
import type { StateStore } from '../../store/state/state-store.js';

/**
 * Ensures that the script receives only its own cookies. Cookies are shared across ports, so a browser also sends cookies
 * set by other programs on this machine.
 */
export type EndpointCookies = ReturnType<typeof createEndpointCookies>;

const collection = 'endpoint-cookies';

/**
 * Stores digests of cookies, so that users stay signed in after a restart. If there are more than `most` digests, removes the
 * oldest.
 */
export function createEndpointCookies(state: StateStore, most = 1_000) {
  let known: Set<string> | undefined;
  const stored = (): Set<string> => (known ??= new Set(state.list(collection).map(({ id }) => id)));
  /** Moves cookies to the end, in the store too, because cookies that are in use are removed last. */
  const use = (ids: readonly string[]): void => {
    const all = stored();
    const newest = [...all].slice(all.size - ids.length);
    if (ids.every((id, at) => id === newest[at])) return;
    for (const id of ids) {
      all.delete(id);
      all.add(id);
    }
    const surplus = [...all].slice(0, Math.max(0, all.size - most));
    state.transaction(() => {
      for (const id of ids) {
        state.delete(collection, id);
        state.put(collection, id, true);
      }
      for (const id of surplus) state.delete(collection, id);
    });
    for (const id of surplus) all.delete(id);
  };

  return {
    remember: ({ headers }: Response) =>
      use(headers.getSetCookie().map((cookie) => digest(cookie.split(';', 1)[0] ?? ''))),
    /**
     * Removes all other cookies from a browser's request. curl and services send no origin and choose their own cookies, so
     * their requests are left unchanged.
     */
    keepOwn(headers: Record<string, string>) {
      const { cookie } = headers;
      if (cookie === undefined || !isFromBrowser({ headers: { has: (name) => name in headers } })) return;
      const own = cookie.split(';').filter((pair) => stored().has(digest(pair)));
      use(own.map(digest));
      if (own.length > 0) headers.cookie = own.join(';').trim();
      else delete headers.cookie;
    },
  };
}

/** Cookies are credentials, so only their digests are stored. Browsers trim the names and values of cookies. */
function digest(pair: string): string {
  const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair) ?? [];
  return createHash('sha256').update(`${name.trim()}=${value.trim()}`).digest('base64url');
}
