/** Collects background work, so that a caller can wait for all of it to finish. */
export interface Background {
  run(work: Promise<unknown>): void;
  /** Resolves when all work has finished, including work added while waiting. */
  settled(): Promise<void>;
}

export function createBackground(failed: (error: unknown) => void): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const tracked = work.catch(failed).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
