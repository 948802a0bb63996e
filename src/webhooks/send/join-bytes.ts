/** The first `most` bytes of the pieces. */
export function joinBytes(pieces: readonly Uint8Array[], most: number): Uint8Array {
  const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const joined = new Uint8Array(Math.min(size, most));
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, joined.byteLength - at);
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
