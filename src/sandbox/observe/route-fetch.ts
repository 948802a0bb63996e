type Fetch = typeof globalThis.fetch;

/**
 * Replaces the process's `fetch` with one that calls `routeOf` first. Interceptors such as Mock Service
 * Worker replace `globalThis.fetch` too, save the previous function or property, and may restore it before or
 * after this code does. A `fetch` that is set later therefore goes below this one, and each interceptor gets
 * back what it has saved.
 */
export function createFetchRouting(routeOf: () => Fetch | undefined): {
  /** Makes sure that this `fetch` is in front. */
  cover(): void;
  uncover(): void;
} {
  const routed = new WeakMap<Fetch, Fetch>();
  const below = new WeakMap<Fetch, Fetch>();
  /** Maps each getter to the property that it replaced. */
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
