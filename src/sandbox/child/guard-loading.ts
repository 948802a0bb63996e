import { checkedCalls } from './checked-calls.js';

type Methods = Record<string, (...args: never[]) => unknown>;

/**
 * Refuses timers, random values and `fetch` while the script's module loads, as production does. Packages
 * may keep references to these functions, so the replacements stay in place. Returns a function that loads
 * a module under this guard.
 */
export function guardLoading(): <Loaded>(load: () => Promise<Loaded>) => Promise<Loaded> {
  let loading = false;
  const guard = (owner: object, names: string[], prefix: string, { asynchronous = false } = {}): void => {
    const methods = owner as Methods;
    for (const name of names) {
      const method = methods[name];
      if (!method) continue;
      const check = (): void => {
        if (loading) throw new Error(refusal(`${prefix}${name}`));
      };
      methods[name] = checkedCalls(method, check, { asynchronous });
    }
  };

  guard(globalThis, ['setTimeout', 'setInterval', 'setImmediate'], '');
  guard(globalThis, ['fetch'], '', { asynchronous: true });
  guard(AbortSignal, ['timeout'], 'AbortSignal.');
  guard(Crypto.prototype, ['getRandomValues', 'randomUUID'], 'crypto.');
  guard(SubtleCrypto.prototype, ['generateKey'], 'crypto.subtle.', { asynchronous: true });

  return async (load) => {
    loading = true;
    const release = guardResponses(() => loading);
    try {
      return await load();
    } finally {
      loading = false;
      release();
    }
  };
}

/**
 * Refuses a Response with a body of bytes or text while loading. Afterwards, the original class is called
 * directly.
 */
function guardResponses(isLoading: () => boolean): () => void {
  const { Response } = globalThis;
  const guarded = new Proxy(Response, {
    construct(target, args: [body?: BodyInit | null], newTarget) {
      const [body] = args;
      if (isLoading() && body != null && !(body instanceof ReadableStream))
        throw new Error(refusal('new Response(body)'));
      return Reflect.construct(target, args, newTarget) as Response;
    },
  });
  globalThis.Response = guarded;
  return () => {
    if (globalThis.Response === guarded) globalThis.Response = Response;
  };
}

const refusal = (name: string): string =>
  `\`${name}\` is refused while the script loads, as in production. Call it in a function that handles an event.`;
