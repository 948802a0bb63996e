/**
 * Node defines these lazily. A package that replaces one on an object inheriting from `globalThis` would
 * otherwise replace Node's.
 */
const lazyInNode = ['FormData', 'Headers', 'Request', 'Response'] as const;

/**
 * Gives the script the globals of production. Packages that detect their environment find neither Node nor
 * a browser. `Buffer` and `global` stay, because Node's own `fetch` needs them.
 */
export function defineWorkerGlobals(version: string): void {
  const define = (name: string, value: unknown): void =>
    void Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

  for (const name of lazyInNode) define(name, globalThis[name]);
  define('self', globalThis);
  define('navigator', Object.freeze({ userAgent: `Platform/${version}` }));
  define('process', Object.freeze({ env: {}, versions: Object.freeze({}) }));
}
