/** Lets only `most` run at the same time, and only `mostWaiting` wait. */
export function createAbortableTurns(most: number, mostWaiting: number) {
  const waiting = new Set<() => void>();
  let running = 0;
  return {
    /** Resolves to false if the turn has not come when the signal aborts, or if too many others are waiting. */
    async take(signal: AbortSignal) {
      if (signal.aborted) return false;
      if (running < most) {
        running += 1;
        return true;
      }
      if (waiting.size >= mostWaiting) return false;
      return new Promise((resolve) => {
        const start = (): void => {
          signal.removeEventListener('abort', abort);
          resolve(true);
        };
        const abort = (): void => {
          waiting.delete(start);
          resolve(false);
        };
        waiting.add(start);
        signal.addEventListener('abort', abort, { once: true });
      });
    },
    /** Ends a turn. The next one that waits takes its place. */
    leave() {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    },
  };
}
