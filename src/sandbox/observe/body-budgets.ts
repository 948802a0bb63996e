import { createBeginning, SENT_BYTES, type Beginning } from './beginning-of-body.js';
import type { CallScope } from './call-scope.js';

/** The recorded bodies of a single request. */
export interface RecordedBodies {
  sent: Beginning;
  received: Beginning;
  /** Call this when the bodies are no longer in memory. */
  close(): void;
}

/** Limit for the bodies of all outbound requests in a call. */
const CALL_BYTES = 8 * 1024 * 1024;
/** Limit for the bodies that are in memory at the same time, across all calls of a process. */
const HELD_BYTES = 16 * 1024 * 1024;

/** Limits how much memory a process uses for recorded bodies. */
export function createBodyBudgets(): (scope: CallScope | undefined) => RecordedBodies {
  const spent = new WeakMap<CallScope, number>();
  let held = 0;
  return (scope) => {
    let own = 0;
    const take = (wanted: number): number => {
      const before = (scope && spent.get(scope)) ?? 0;
      const taken = Math.max(0, Math.min(wanted, CALL_BYTES - before, HELD_BYTES - held));
      if (scope) spent.set(scope, before + taken);
      held += taken;
      own += taken;
      return taken;
    };
    return {
      sent: createBeginning(SENT_BYTES, take),
      received: createBeginning(SENT_BYTES, take),
      close() {
        held -= own;
        own = 0;
      },
    };
  };
}

export const noBodies = (): RecordedBodies => ({
  sent: createBeginning(0),
  received: createBeginning(0),
  close() {},
});
