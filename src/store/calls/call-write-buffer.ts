import type { Clock } from '../../base/clock.js';
import type { BodyName, CallRecord, CallLog } from './call-log.js';

/** The body chunks of a single call, in order. */
export type GatheredBodies = Map<BodyName, Uint8Array[]>;

export interface GatheredCalls {
  entries: CallRecord[];
  /** Keyed by call id. */
  bodies: ReadonlyMap<string, GatheredBodies>;
}

export type CallBuffer = Pick<CallLog, 'record' | 'appendBody' | 'flush'> & {
  /** Like `flush`, but keeps a call that cannot be written now for the next attempt. */
  tryFlush(): void;
  close(): void;
};

const gatherMs = 75;
/** A buffer larger than this is written immediately, without waiting for the timer. */
const maxBytes = 1024 * 1024;
/** If more calls than this are waiting because they cannot be written to disk, calls are dropped. */
const maxEntries = 10_000;

/** Buffers calls and writes them in batches, so that no request waits for the disk. */
export function createCallBuffer(
  clock: Clock,
  write: (calls: GatheredCalls) => void,
  /** Called when a write fails, but not again until a write has succeeded. */
  onError: (error: unknown) => void = () => {},
): CallBuffer {
  let failing = false;
  let entries = new Map<string, CallRecord>();
  let bodies = new Map<string, GatheredBodies>();
  let bytes = 0;
  let waiting: AbortController | undefined;

  const flush = (): void => {
    waiting?.abort();
    waiting = undefined;
    if (entries.size === 0 && bodies.size === 0) return;
    write({ entries: [...entries.values()], bodies });
    entries = new Map();
    bodies = new Map();
    bytes = 0;
  };

  const tryFlush = (): void => {
    try {
      flush();
      failing = false;
    } catch (error) {
      if (!failing) onError(error);
      failing = true;
      if (entries.size > maxEntries) entries = new Map([...entries].slice(-maxEntries));
      if (bytes > maxBytes) {
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
    record(call) {
      entries.set(call.id, call);
      flushLater();
    },
    appendBody(id, which, chunk) {
      const ofCall: GatheredBodies = bodies.get(id) ?? new Map();
      bodies.set(id, ofCall);
      const pieces = ofCall.get(which);
      if (pieces) pieces.push(chunk);
      else ofCall.set(which, [chunk]);
      bytes += chunk.byteLength;
      if (bytes > maxBytes) tryFlush();
      else flushLater();
    },
    flush,
    tryFlush,
    close() {
      waiting?.abort();
    },
  };
}
