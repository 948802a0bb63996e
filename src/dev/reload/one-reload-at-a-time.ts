/**
 * Runs one call at a time. Requests that arrive during a run lead to one further run, so the last run sees
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
    // `next` starts a moment after `running` has ended.
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
