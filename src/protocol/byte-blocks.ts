const blockSize = 256 * 1024;

/** Bytes of unknown length, kept in blocks: one copy of each byte, and no large buffer to move. */
export interface ByteBlocks {
  readonly length: number;
  write(bytes: Uint8Array): void;
  /** The blocks in order. They are handed over: nothing may be written afterwards. */
  take(): Uint8Array<ArrayBuffer>[];
}

export function createByteBlocks(): ByteBlocks {
  const full: Uint8Array<ArrayBuffer>[] = [];
  let block = new Uint8Array(0);
  let used = 0;
  let length = 0;

  const grow = (wanted: number): void => {
    if (block.length === blockSize) {
      full.push(block);
      block = new Uint8Array(blockSize);
      used = 0;
      return;
    }
    // The first block begins small, as most bodies are.
    const larger = new Uint8Array(Math.min(blockSize, Math.max(1024, block.length * 2, used + wanted)));
    larger.set(block.subarray(0, used));
    block = larger;
  };

  return {
    get length() {
      return length;
    },
    write(bytes) {
      for (let at = 0; at < bytes.length;) {
        if (used === block.length) grow(bytes.length - at);
        const piece = bytes.subarray(at, at + block.length - used);
        block.set(piece, used);
        used += piece.length;
        length += piece.length;
        at += piece.length;
      }
    },
    take() {
      return used === 0 ? full : [...full, block.subarray(0, used)];
    },
  };
}

export function joinBlocks(blocks: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = blocks;
  if (first && blocks.length === 1) return first;
  const whole = new Uint8Array(blocks.reduce((size, block) => size + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
