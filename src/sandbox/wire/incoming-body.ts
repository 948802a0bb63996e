/** A body that arrives in chunks. */
export type IncomingBody = ReturnType<typeof createIncomingBody>;

/** How much is buffered for a slow reader, in addition to data in transit. */
const KEPT = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });

export function createIncomingBody(listener: {
  /** Called when a reader has consumed this many bytes, which allows the other side to send more. */
  taken(bytes: number): void;
  /** Called when the rest of the body is not needed and is dropped. */
  cancelled(): void;
}) {
  let over = false;
  let untold = 0;
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => void (control = controller),
      pull() {
        if (untold > 0) listener.taken(untold);
        untold = 0;
      },
      cancel() {
        over = true;
        listener.cancelled();
        if (untold > 0) listener.taken(untold);
      },
    },
    KEPT,
  );
  const finish = (how: () => void): void => {
    if (!over) how();
    over = true;
  };
  return {
    stream,
    push(piece: Uint8Array) {
      if (over) return listener.taken(piece.length);
      untold += piece.length;
      // Copied, because the code that reads it may modify it, and the bytes before and after it belong to other calls.
      control?.enqueue(new Uint8Array(piece));
    },
    end: () => finish(() => control?.close()),
    fail: (error: Error) => finish(() => control?.error(error)),
  };
}
