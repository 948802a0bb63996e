import { captureConsole } from './capture-console.js';
import { currentScope, type CallScope } from './call-scope.js';
import type { MaskedOutput } from './masked-output.js';
import { createRecordingFetch } from './recording-fetch.js';

interface Observer {
  output: Pick<MaskedOutput, 'log' | 'outbound'>;
  now(): number;
  fetch: typeof globalThis.fetch | undefined;
}

interface Route {
  output: Observer['output'];
  now(): number;
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
 * Sees what calls print and fetch in a process that has a console and a `fetch` of its own: both go on
 * working for everybody else. Any number of observers share one replacement of the globals.
 */
export function observeGlobals({ output, now, fetch }: Observer): {
  /** What happens in this scope is this observer's. */
  own(scope: CallScope): void;
  release(): void;
} {
  observers += 1;
  if (observers === 1) restore = replaceGlobals();
  const recording = createRecordingFetch({
    fetch: fetch ?? ((...args) => platformFetch(...args)),
    record: (entry) => output.outbound(entry),
    now,
  });
  return {
    own: (scope) => void routes.set(scope, { output, now, fetch: recording }),
    release() {
      observers -= 1;
      if (observers === 0) restore();
    },
  };
}

let platformFetch = globalThis.fetch;

function replaceGlobals(): () => void {
  const printed = { ...console };
  const restoreConsole = captureConsole(console, {
    when: () => currentRoute() !== undefined,
    take(level, text) {
      const route = currentRoute();
      printed[level](text);
      route?.output.log({ callId: currentScope()?.id, level, text, time: route.now() });
    },
  });
  platformFetch = globalThis.fetch;
  globalThis.fetch = (...args) => (currentRoute()?.fetch ?? platformFetch)(...args);
  return () => {
    restoreConsole();
    globalThis.fetch = platformFetch;
  };
}
