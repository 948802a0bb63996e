/** Bytes in pieces, in their order. */
export type Blocks = Uint8Array<ArrayBuffer>[];

const blockSize = 64 * 1024;

/**
 * The body of a request in blocks that are each worth an object, whatever pieces it comes in. One
 * that is known to be small is taken whole: a stream costs more than to read it.
 */
export async function* blocksOf(request: Request): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? Infinity) <= blockSize) {
    return yield new Uint8Array(await request.arrayBuffer());
  }
  const pieces: Uint8Array[] = [];
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

export function joinBlocks(blocks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(blocks.reduce((size, block) => size + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
