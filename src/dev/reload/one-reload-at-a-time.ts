/**
 * Runs one call at a time. If it is called during a run, exactly one more run follows, so the last run always sees
 * the current state.
 */
export function oneReloadAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    running = work().finally(() => (running = undefined));
    return running;
  };
  return () => {
    // Also covers the moment after `running` has ended and before `next` starts.
    if (!running) return next ?? start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
