import { envelopeLimits } from '../../protocol/envelope/envelope-limits.js';

const largestBody = envelopeLimits['fetch-body'];

/** A short body of known length is faster in one piece than as a stream. */
const inOnePiece = 64 * 1024;

export interface LimitedBody {
  content: ReadableStream<Uint8Array> | Uint8Array | undefined;
  tooLarge(): boolean;
}

/** Returns the body of a request. If it is larger than the limit, reading it fails. */
export async function limitBody(request: Request, largest = largestBody): Promise<LimitedBody> {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return { content: undefined, tooLarge: () => false };
  const declared = headers.get('content-length');
  if (declared !== null && Number(declared) > largest) return { content: undefined, tooLarge: () => true };
  // A request without a length and without chunks has no body, although Node provides a stream.
  const framed = declared !== null || headers.has('transfer-encoding');
  if (!framed || Number(declared ?? Infinity) <= inOnePiece) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return { content: bytes.length > 0 ? bytes : undefined, tooLarge: () => bytes.length > largest };
  }
  if (!request.body) return { content: undefined, tooLarge: () => false };

  let length = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > largest) controller.error(new Error('The body is too large.'));
      else controller.enqueue(chunk);
    },
  });
  return { content: request.body.pipeThrough(count), tooLarge: () => length > largest };
}
