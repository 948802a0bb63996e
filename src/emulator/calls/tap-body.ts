interface Tap {
  chunk(bytes: Uint8Array): void;
  /** Once: at the end, or with what ended it early. */
  end(error?: unknown): void;
}

/** The same bytes, seen as they pass. Nothing is read before somebody wants it. The signal breaks it off. */
export function tapBody(
  body: ReadableStream<Uint8Array>,
  tap: Tap,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal?.addEventListener('abort', () => {
          tap.end(signal.reason);
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => {});
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            tap.end();
            controller.close();
            return;
          }
          tap.chunk(value);
          controller.enqueue(value);
        } catch (error) {
          tap.end(error);
          controller.error(error);
        }
      },
      async cancel(reason) {
        tap.end(reason ?? new Error('The reader went away.'));
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
