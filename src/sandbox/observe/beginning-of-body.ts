import { Buffer } from 'node:buffer';

/** As much of a body is sent to the platform: what is kept, and room for a secret that lies across its end. */
export const SENT_BYTES = 80 * 1024;

/** The beginning of a body that passes, and how long all of it is. */
export interface Beginning {
  add(chunk: Uint8Array): void;
  bytes(): number;
  /** How much of it is here. */
  kept(): number;
  isFull(): boolean;
  /** Absent if nothing has passed. */
  base64(): string | undefined;
}

export function createBeginning(most: number): Beginning {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      // A copy: whoever reads the chunk may write to it.
      if (bytes < most) pieces.push(chunk.slice(0, most - bytes));
      bytes += chunk.byteLength;
    },
    bytes: () => bytes,
    kept: () => Math.min(bytes, most),
    isFull: () => bytes >= most,
    base64: () => (pieces.length === 0 ? undefined : Buffer.concat(pieces).toString('base64')),
  };
}
