/** A body that comes in piece by piece. */
export interface IncomingBody {
  stream: ReadableStream<Uint8Array>;
  push(piece: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
}

/** What is kept for a reader that is slow, beside what is on its way. */
const KEPT = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });

export function createIncomingBody(listener: {
  /** There is room for so many bytes more. */
  taken(bytes: number): void;
  /** Nobody wants the rest, which is dropped. */
  cancelled(): void;
}): IncomingBody {
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
    push(piece) {
      if (over) return listener.taken(piece.length);
      untold += piece.length;
      // A copy: whoever reads it may do with it as he likes, and its neighbours are other calls'.
      control?.enqueue(new Uint8Array(piece));
    },
    end: () => finish(() => control?.close()),
    fail: (error) => finish(() => control?.error(error)),
  };
}
