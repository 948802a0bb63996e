import type { Timers } from '../../base/clock.js';

/** Limits how many streamed responses from the script can be open at the same time. */
export type OpenStreams = ReturnType<typeof createOpenStreams>;

interface Stream {
  since: number;
  cut(reason: Error): void;
}

/** Responses that end sooner do not count as open streams. */
const lastingMs = 1_000;

export function createOpenStreams(timers: Timers, most = 128) {
  /** The open streams, oldest first. */
  const open = new Set<Stream>();
  const full = `${most} script responses have been streaming for more than a second. Close some of them and try again.`;
  let watching = false;

  const lasting = (): Stream[] => {
    const limit = timers.monotonic() - lastingMs;
    const streams: Stream[] = [];
    for (const stream of open) {
      if (stream.since > limit) break;
      streams.push(stream);
    }
    return streams;
  };

  /** Streams that start at the same time count towards the limit only if they stay open. */
  const watch = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    while (open.size > most) {
      await timers.sleep(lastingMs / 4);
      for (const stream of lasting().slice(most)) {
        open.delete(stream);
        stream.cut(new Error(full));
      }
    }
    watching = false;
  };

  return {
    /**
     * Returns a function to call when the response ends, or a reason if the limit has been reached. `cut` is called to end the
     * response early.
     */
    enter(cut: (reason: Error) => void) {
      if (open.size >= most && lasting().length >= most) return full;
      const stream = { since: timers.monotonic(), cut };
      open.add(stream);
      if (open.size > most) void watch();
      return () => void open.delete(stream);
    },
  };
}
