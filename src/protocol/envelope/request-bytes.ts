export type Bytes = Uint8Array<ArrayBuffer>;

const guess = 64 * 1024;

/** Returns a line break followed by the request body. Throws a RangeError if the two together are longer than `most`. */
export const bytesOf = async (request: Request, most: number): Promise<Bytes> => {
  let at = 2;
  const length = (Number(request.headers.get('content-length')) || guess) + at;
  let bytes = new Uint8Array(Math.min(length, most));
  bytes.set([13, 10]);
  for await (const piece of request.body ?? []) {
    if (at + piece.length > bytes.length) {
      // The system allocates memory only for the pages that are written.
      const whole = new Uint8Array(most);
      whole.set(bytes);
      bytes = whole;
    }
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes.subarray(0, at);
};
