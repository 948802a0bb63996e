const largestBody = 100 * 1024 * 1024;

/** A short body of known length passes faster whole than as a stream. */
const inOnePiece = 64 * 1024;

export interface LimitedBody {
  content: ReadableStream<Uint8Array> | Uint8Array | undefined;
  tooLarge(): boolean;
}

/** The body of a request, cut off with an error where it is larger than the platform takes. */
export async function limitBody(request: Request): Promise<LimitedBody> {
  const { method } = request;
  if (method === 'GET' || method === 'HEAD') return { content: undefined, tooLarge: () => false };
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > largestBody)
    return { content: undefined, tooLarge: () => true };
  if (declared !== null && Number(declared) <= inOnePiece) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return { content: bytes.length > 0 ? bytes : undefined, tooLarge: () => false };
  }
  if (!request.body) return { content: undefined, tooLarge: () => false };

  let length = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > largestBody) controller.error(new Error('The body is larger than 100 MiB.'));
      else controller.enqueue(chunk);
    },
  });
  return { content: request.body.pipeThrough(count), tooLarge: () => length > largestBody };
}
