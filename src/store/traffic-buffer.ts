import type { Clock } from '../protocol/clock.js';
import { joinBytes } from './join-bytes.js';
import type { TrafficEntry, TrafficLog } from './traffic.js';

interface BodyChunk {
  id: string;
  which: 'request' | 'response';
  chunk: Uint8Array;
}

export interface GatheredTraffic {
  entries: TrafficEntry[];
  chunks: BodyChunk[];
}

export type TrafficBuffer = Pick<TrafficLog, 'record' | 'appendBody' | 'flush'> & {
  /** As `flush`, but what cannot be written now is kept for the next time. */
  tryFlush(): void;
  close(): void;
};

const gatherMs = 75;
const chunkBytes = 256 * 1024;
/** More than this is not left waiting for the clock. */
const mostBytes = 1024 * 1024;
/** More than this is not kept for a disk that cannot take it. */
const mostEntries = 10_000;

function* cut(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Gathers what is logged and hands it on in one go, off the path of the requests. */
export function createTrafficBuffer(
  clock: Clock,
  write: (traffic: GatheredTraffic) => void,
  /** Told once when nothing can be written any more, until something can. */
  trouble: (error: unknown) => void = () => {},
): TrafficBuffer {
  let failing = false;
  let entries = new Map<string, TrafficEntry>();
  let bodies = new Map<string, { id: string; which: BodyChunk['which']; pieces: Uint8Array[] }>();
  let bytes = 0;
  let waiting: AbortController | undefined;

  const flush = (): void => {
    waiting?.abort();
    waiting = undefined;
    if (entries.size === 0 && bodies.size === 0) return;
    const chunks = [...bodies.values()].flatMap(({ id, which, pieces }) =>
      [...cut(joinBytes(pieces))].map((chunk) => ({ id, which, chunk })),
    );
    write({ entries: [...entries.values()], chunks });
    entries = new Map();
    bodies = new Map();
    bytes = 0;
  };

  const tryFlush = (): void => {
    try {
      flush();
      failing = false;
    } catch (error) {
      if (!failing) trouble(error);
      failing = true;
      if (entries.size > mostEntries) entries = new Map([...entries].slice(-mostEntries));
      if (bytes > mostBytes) {
        bodies = new Map();
        bytes = 0;
      }
      flushLater();
    }
  };

  const flushLater = (): void => {
    if (waiting) return;
    const wait = new AbortController();
    waiting = wait;
    clock.sleep(gatherMs, wait.signal).then(tryFlush, () => undefined);
  };

  return {
    record(entry) {
      entries.set(entry.id, entry);
      flushLater();
    },
    appendBody(id, which, chunk) {
      const key = `${which} ${id}`;
      const body = bodies.get(key);
      if (body) body.pieces.push(chunk);
      else bodies.set(key, { id, which, pieces: [chunk] });
      bytes += chunk.byteLength;
      if (bytes > mostBytes) tryFlush();
      else flushLater();
    },
    flush,
    tryFlush,
    close() {
      waiting?.abort();
    },
  };
}
