import { checkedCalls } from './checked-calls.js';

type Methods = Record<string, (...args: never[]) => unknown>;

/**
 * Refuses timers, random values and `fetch` while the script's module loads, as a worker does. Packages keep
 * references to these functions from then on, so they are replaced for good. Gives back what loads a module.
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
    try {
      return await load();
    } finally {
      loading = false;
    }
  };
}

const refusal = (name: string): string =>
  `\`${name}\` is refused while the script loads, as in production. Call it in a function that handles an event.`;
