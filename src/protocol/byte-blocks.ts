export type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes in pieces, in their order. */
export type Blocks = Bytes[];

const blockSize = 64 * 1024;

/**
 * The body of a request in blocks that are each worth an object, whatever pieces it comes in. One
 * that is known to be small is taken whole: a stream costs more than to read it.
 */
export async function* blocksOf(request: Request): AsyncGenerator<Bytes> {
  if (Number(request.headers.get('content-length') ?? Infinity) <= blockSize) {
    return yield new Uint8Array(await request.arrayBuffer());
  }
  const pieces: Blocks = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    pieces.push(piece);
    size += piece.length;
    if (size >= blockSize) {
      yield joinBlocks(pieces.splice(0));
      size = 0;
    }
  }
  yield joinBlocks(pieces);
}

/** The bytes of all blocks in one; a block that is alone is not copied. */
export function joinBlocks(blocks: Blocks): Bytes {
  if (blocks.length === 1) return blocks[0] as Bytes;
  const whole = new Uint8Array(blocks.reduce((size, block) => size + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
