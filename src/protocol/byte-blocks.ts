const largest = 256 * 1024;

/** Bytes of unknown length, kept in blocks: one copy of each byte, and no large buffer to move. */
export interface ByteBlocks {
  readonly length: number;
  write(bytes: Uint8Array): void;
  /** The blocks in order. They are handed over: nothing may be written afterwards. */
  take(): Uint8Array<ArrayBuffer>[];
}

export function createByteBlocks(): ByteBlocks {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let last = new Uint8Array(0);
  let free = 0;
  let length = 0;
  return {
    get length() {
      return length;
    },
    write(bytes) {
      for (let rest = bytes; rest.length > 0;) {
        if (free === 0) {
          // Each block is as large as all before it: most bodies are small, and some are not.
          free = Math.min(largest, Math.max(length, rest.length));
          last = new Uint8Array(free);
          blocks.push(last);
        }
        const piece = rest.subarray(0, free);
        last.set(piece, last.length - free);
        free -= piece.length;
        length += piece.length;
        rest = rest.subarray(piece.length);
      }
    },
    take() {
      if (free > 0) blocks.push(...blocks.splice(-1).map((block) => block.subarray(0, -free)));
      free = 0;
      return blocks;
    },
  };
}

export function joinBlocks(blocks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(blocks.reduce((size, block) => size + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
