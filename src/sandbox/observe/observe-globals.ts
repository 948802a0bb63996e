import type { Clock } from '../../base/clock.js';
import { captureConsole } from './capture-console.js';
import { currentScope, runOutsideScopes, type CallScope } from './call-scope.js';
import type { MaskedOutput } from './mask-script-output.js';
import { createFetchRouting } from './route-fetch.js';
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
 * Collects what calls print, and sends what they fetch another way, in a process that has a console and a
 * `fetch` of its own: outside these calls both work as before. Any number of observers share one replacement
 * of the globals.
 */
export function observeGlobals({ output, clock, fetch }: Observer): {
  /** What happens in this scope is this observer's. */
  own(scope: CallScope): void;
  release(): void;
} {
  observers += 1;
  if (observers === 1) restore = replaceGlobals();
  const recording = createRecordingFetch({
    fetch: fetch ?? ((...args) => runOutsideScopes(() => globalThis.fetch(...args))),
    record: (entry) => output.outbound(entry),
    now: () => clock.now(),
    details: () => true,
  });
  return {
    own(scope) {
      routes.set(scope, { output, clock, fetch: recording });
      // Others may have replaced it since.
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

/** A time limit of a call also ends when the call's clock is moved that far, so that no test waits for it. */
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
