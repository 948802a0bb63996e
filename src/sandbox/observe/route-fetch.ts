type Fetch = typeof globalThis.fetch;

/**
 * Puts a `fetch` on top of the process's own that asks `routeOf` first. Interceptors such as Mock Service Worker
 * replace `globalThis.fetch` too, keep what was there (the function or its property), and put that back in any
 * order with us. So a later `fetch` goes below ours, and each of them gets back what it has seen.
 */
export function createFetchRouting(routeOf: () => Fetch | undefined): {
  /** Sees to it that ours is on top. */
  cover(): void;
  uncover(): void;
} {
  const routed = new WeakMap<Fetch, Fetch>();
  const below = new WeakMap<Fetch, Fetch>();
  /** By their getters: what was there before. */
  const layers = new WeakMap<() => unknown, () => PropertyDescriptor>();
  const current = (): PropertyDescriptor | undefined => Object.getOwnPropertyDescriptor(globalThis, 'fetch');

  const route = (outer: Fetch): Fetch => {
    const known = routed.get(outer);
    if (known) return known;
    const ours: Fetch = (...args) => (routeOf() ?? outer)(...args);
    routed.set(outer, ours);
    below.set(ours, outer);
    return ours;
  };

  return {
    cover() {
      const before = current();
      if (before?.get && layers.has(before.get)) return;
      const first = globalThis.fetch;
      let outer = first;
      const get = (): Fetch => route(outer);
      const set = (next: Fetch): void => {
        outer = below.get(next) ?? next;
      };
      layers.set(get, () =>
        before && outer === first
          ? before
          : { configurable: true, enumerable: true, writable: true, value: outer },
      );
      Object.defineProperty(globalThis, 'fetch', { configurable: true, enumerable: true, get, set });
    },
    uncover() {
      const { get } = current() ?? {};
      const before = get && layers.get(get);
      if (before) Object.defineProperty(globalThis, 'fetch', before());
    },
  };
}
