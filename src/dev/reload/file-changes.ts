import { watchFiles } from './watch-files.js';

/** Reports file changes to all current subscribers. */
export interface FileChanges {
  watch(files: readonly string[]): void;
  /** Resolves at the next change. Rejects when the session is ending. */
  next(): Promise<void>;
  follow(listener: () => void): void;
  /** Returns the number of changes so far, including the latest one. */
  count(): number;
  close(): void;
}

/** Keep this short, because subscribers are notified at the first event of a save and check for further changes afterwards. */
const settleMs = 1;

export function createFileChanges(signal: AbortSignal): FileChanges {
  let count = 0;
  let listener = (): void => {};
  const watcher = watchFiles(
    [],
    () => {
      count += 1;
      listener();
    },
    { signal, settleMs },
  );
  return {
    watch: watcher.watch,
    next: () =>
      new Promise((resolve, reject) => {
        listener = resolve;
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    follow: (next) => (listener = next),
    count() {
      if (watcher.look()) count += 1;
      return count;
    },
    close: watcher.close,
  };
}
