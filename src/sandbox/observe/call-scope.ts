import { AsyncLocalStorage } from 'node:async_hooks';

/** What runs on behalf of one call finds its way back to it, through every await and timer. */
export interface CallScope {
  id: string;
  /** Runs once, after the answer and all `waitUntil` work. */
  onEnd: Set<() => void>;
  ended: boolean;
}

const scopes = new AsyncLocalStorage<CallScope>();

export const currentScope = (): CallScope | undefined => scopes.getStore();

export const createScope = (id: string): CallScope => ({ id, onEnd: new Set(), ended: false });

export const runInScope = <T>(scope: CallScope, work: () => T): T => scopes.run(scope, work);

/** What the platform does in its own name in the middle of a call. */
export const runOutsideScopes = <T>(work: () => T): T => scopes.exit(work);

export function endScope(scope: CallScope): void {
  scope.ended = true;
  for (const run of scope.onEnd) run();
  scope.onEnd.clear();
}
