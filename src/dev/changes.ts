import { watchFiles } from './watch.js';

/** What changes on the disk, told to whoever follows at the time. */
export interface Changes {
  watch(files: readonly string[]): void;
  /** The next change; rejects when the session is asked to end. */
  next(): Promise<void>;
  follow(listener: () => void): void;
  close(): void;
}

export function createChanges(signal: AbortSignal): Changes {
  let listener = (): void => {};
  const watcher = watchFiles([], () => listener(), { signal });
  return {
    watch: watcher.watch,
    next: () =>
      new Promise((resolve, reject) => {
        listener = resolve;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    follow: (next) => (listener = next),
    close: watcher.close,
  };
}
