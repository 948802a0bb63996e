import { EnvelopeError } from '../protocol/envelope.js';
import type { FetchEvent } from '../protocol/events.js';

/** The request's bytes in pieces; undefined where the request had no body. */
export type Body = Uint8Array<ArrayBuffer>[] | undefined;

/**
 * The request as the author's code sees it. The Fetch standard has no TRACE and CONNECT, and no
 * body in a GET or HEAD: such a request is refused, with a word on why.
 */
export function buildRequest({ request }: FetchEvent, body: Body): Request {
  try {
    if (typeof request !== 'object' || request === null) throw new TypeError('the event holds none');
    const { url, method, headers } = request;
    // `duplex` is missing in the DOM's types, and asked for by its fetch where a body is a stream.
    const init: RequestInit & { duplex: 'half' } = { method, headers, duplex: 'half' };
    const empty = body?.length === 0;
    if (!body || (empty && /^(GET|HEAD)$/i.test(method))) return new Request(url, init);
    if (body.length < 2) return new Request(url, { ...init, body: body[0] ?? new Uint8Array() });
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    return readingOnce(new Request(url, { ...init, body: streamOf(body) }), length);
  } catch (error) {
    const why = (error as Error).message.replace(/[.]$/, '');
    throw new EnvelopeError(400, 'event', `holds a request that cannot be built: ${why}`);
  }
}

/** Gives each piece away as it is read, so that a large body is not held twice. */
const streamOf = (pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );

/** Reads a large body into its place piece by piece: the platform's own way holds it three times. */
function readingOnce(request: Request, length: number): Request {
  const standard = request.arrayBuffer.bind(request);
  const arrayBuffer = async (): Promise<ArrayBuffer> => {
    const { body, bodyUsed } = request;
    if (!body || bodyUsed || body.locked) return standard();
    const whole = new Uint8Array(length);
    const reader = body.getReader();
    let at = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      whole.set(next.value, at);
      at += next.value.length;
    }
    return whole.buffer;
  };
  return Object.defineProperty(request, 'arrayBuffer', { value: arrayBuffer });
}
