import { Buffer } from 'node:buffer';

/** How much of a body the log stores. Recordings do not contain more either. */
export const KEPT_BYTES = 1024 * 1024;
/**
 * How much of a body is sent to the platform: the part that is stored, plus enough to mask a secret that extends
 * beyond it.
 */
export const SENT_BYTES = KEPT_BYTES + 16 * 1024;

/** The beginning of a streamed body, and its total length. */
export type Beginning = ReturnType<typeof createBeginning>;

/**
 * `take` receives a number of bytes and returns how many of them may be stored, because other bodies share the same
 * memory.
 */
export function createBeginning(most: number, take = (bytes: number): number => bytes) {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let kept = 0;
  let isFull = most === 0;
  return {
    add(chunk: Uint8Array) {
      bytes += chunk.byteLength;
      if (isFull) return;
      const wanted = Math.min(chunk.byteLength, most - kept);
      const taken = take(wanted);
      // Copied, because the code that reads the chunk may modify it.
      if (taken > 0) pieces.push(chunk.slice(0, taken));
      kept += taken;
      isFull = taken < wanted || kept === most;
    },
    bytes: () => bytes,
    /** The number of bytes to store. */
    kept: () => kept,
    isFull: () => isFull,
    /** Undefined if nothing is stored. */
    base64: () => (pieces.length === 0 ? undefined : Buffer.concat(pieces).toString('base64')),
  };
}
