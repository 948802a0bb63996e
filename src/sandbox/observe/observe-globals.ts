import type { Clock } from '../../base/clock.js';
import { captureConsole } from './capture-console.js';
import { currentScope, runOutsideScopes, type CallScope } from './call-scope.js';
import type { MaskedOutput } from './mask-script-output.js';
import { createRecordingFetch } from './recording-fetch.js';

interface Observer {
  output: Pick<MaskedOutput, 'log' | 'outbound'>;
  clock: Clock;
  fetch: typeof globalThis.fetch | undefined;
}

interface Route {
  output: Observer['output'];
  clock: Clock;
  fetch: typeof globalThis.fetch;
}

const routes = new WeakMap<CallScope, Route>();
const currentRoute = (): Route | undefined => {
  const scope = currentScope();
  return scope && routes.get(scope);
};

let observers = 0;
let restore = (): void => {};

/**
 * Captures calls' console output and replaces their `fetch` in a process whose own console and `fetch` keep working.
 * Several observers share one replacement of the globals.
 */
export function observeGlobals({ output, clock, fetch }: Observer): {
  /** Attributes everything that happens in this scope to this observer. */
  own(scope: CallScope): void;
  release(): void;
} {
  observers += 1;
  if (observers === 1) restore = replaceGlobals();
  const recording = createRecordingFetch({
    fetch: fetch ?? ((input, init) => runOutsideScopes(() => globalThis.fetch(input, init))),
    record: (entry) => output.outbound(entry),
    now: () => clock.now(),
    details: () => true,
  });
  return {
    own(scope) {
      routes.set(scope, { output, clock, fetch: recording });
      // Another library may have replaced `fetch` in the meantime.
      fetchRouting.cover();
    },
    release() {
      observers -= 1;
      if (observers === 0) restore();
    },
  };
}

const fetchRouting = createFetchRouting(() => currentRoute()?.fetch);

function replaceGlobals(): () => void {
  const restoreConsole = captureConsole(console, {
    when: () => currentRoute() !== undefined,
    take(level, text) {
      const route = currentRoute();
      route?.output.log({ callId: currentScope()?.id, level, text, time: route.clock.now() });
    },
  });
  fetchRouting.cover();
  const restoreTimeout = replaceTimeout();
  return () => {
    restoreConsole();
    fetchRouting.uncover();
    restoreTimeout();
  };
}

/** Makes a call's timeout also fire when the call's clock is advanced past it, so that tests do not have to wait. */
function replaceTimeout(): () => void {
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => {
    const real = timeout.call(AbortSignal, ms);
    const [scope, route] = [currentScope(), currentRoute()];
    if (!scope || !route || scope.ended) return real;
    const over = new AbortController();
    const ended = new AbortController();
    const end = (): void => ended.abort();
    scope.onEnd.add(end);
    route.clock.sleep(ms, AbortSignal.any([ended.signal, real])).then(
      () => {
        scope.onEnd.delete(end);
        over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      },
      () => {},
    );
    return AbortSignal.any([real, over.signal]);
  };
  return () => {
    AbortSignal.timeout = timeout;
  };
}

type Fetch = typeof globalThis.fetch;

/**
 * Replaces the process's `fetch` with one that calls `routeOf` first. Interceptors such as Mock Service Worker also
 * replace `globalThis.fetch`. They save the previous function or property, and may restore it before or after this
 * code does. This `fetch` therefore calls whatever `fetch` is set later, and each interceptor gets back the value
 * that it saved.
 */
function createFetchRouting(routeOf: () => Fetch | undefined): {
  /** Makes this `fetch` the outermost one again. */
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
