import type { Clock } from '../../base/clock.js';

export interface CallDeadlines {
  /** Calls `pass` after the limit, unless the returned function is called first. */
  begin(pass: () => void): () => void;
  close(): void;
}

interface Deadline {
  due: number;
  pass(): void;
}

/** One timer for any number of equal limits: the call that begins first is due first. */
export function createCallDeadlines(clock: Clock, limitMs: number): CallDeadlines {
  const open = new Set<Deadline>();
  const closing = new AbortController();
  let asleep = false;

  const watch = async (): Promise<void> => {
    if (asleep) return;
    asleep = true;
    for (let [first] = open; first; [first] = open) {
      await clock.sleep(Math.max(0, first.due - clock.monotonic()), closing.signal);
      for (const deadline of open) {
        if (deadline.due > clock.monotonic()) break;
        open.delete(deadline);
        deadline.pass();
      }
    }
    asleep = false;
  };

  return {
    begin(pass) {
      const deadline = { due: clock.monotonic() + limitMs, pass };
      open.add(deadline);
      watch().catch(() => {});
      return () => void open.delete(deadline);
    },
    close: () => closing.abort(),
  };
}
