import { Buffer } from 'node:buffer';

/**
 * How much of a body is sent to the platform: the part that is stored, plus enough to mask a secret that extends past the end
 * of that part.
 */
export const SENT_BYTES = 80 * 1024;

/** The beginning of a streamed body, and its total length. */
export interface Beginning {
  add(chunk: Uint8Array): void;
  bytes(): number;
  /** The number of bytes to store. */
  kept(): number;
  isFull(): boolean;
  /** Undefined if the body is empty so far. */
  base64(): string | undefined;
}

export function createBeginning(most: number): Beginning {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      // Copied, because the code that reads the chunk may modify it.
      if (bytes < most) pieces.push(chunk.slice(0, most - bytes));
      bytes += chunk.byteLength;
    },
    bytes: () => bytes,
    kept: () => Math.min(bytes, most),
    isFull: () => bytes >= most,
    base64: () => (pieces.length === 0 ? undefined : Buffer.concat(pieces).toString('base64')),
  };
}
