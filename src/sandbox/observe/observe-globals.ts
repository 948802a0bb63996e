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
 * Captures the console output and replaces the `fetch` of calls, in a process whose own console and `fetch`
 * keep working outside of these calls. Any number of observers share one replacement of the globals.
 */
export function observeGlobals({ output, clock, fetch }: Observer): {
  /** Assigns everything that happens in this scope to this observer. */
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
      // Something else may have replaced it in the meantime.
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

/**
 * A timeout of a call also fires when the call's clock is moved that far, so that tests need not wait for
 * it.
 */
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
