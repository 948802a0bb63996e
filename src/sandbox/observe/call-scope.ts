import { AsyncLocalStorage } from 'node:async_hooks';

/** Associates everything that runs in a call with that call, across every await and timer. */
export interface CallScope {
  id: string;
  /** Called once, when the response and all `waitUntil` work have finished. */
  onEnd: Set<() => void>;
  ended: boolean;
  /** The number of outbound requests that the call has started so far. */
  requests: number;
}

const scopes = new AsyncLocalStorage<CallScope>();

const outsideCalls: Pick<CallScope, 'requests'> = { requests: 0 };

export const currentScope = (): CallScope | undefined => scopes.getStore();

export const createScope = (id: string, requests = 0): CallScope => ({
  id,
  onEnd: new Set(),
  ended: false,
  requests,
});

/**
 * Returns the number of an outbound request that is about to start. Requests that do not belong to a call share one
 * counter.
 */
export const nextRequest = (scope: Pick<CallScope, 'requests'> = outsideCalls): number => scope.requests++;

export const runInScope = <T>(scope: CallScope, work: () => T): T => scopes.run(scope, work);

/** Runs the platform's own work during a call, without attributing it to that call. */
export const runOutsideScopes = <T>(work: () => T): T => scopes.exit(work);

export function endScope(scope: CallScope): void {
  scope.ended = true;
  for (const run of scope.onEnd) run();
  scope.onEnd.clear();
}
