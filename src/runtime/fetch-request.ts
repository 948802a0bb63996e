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
    if (!request) throw new TypeError('the event holds none');
    const { url, method, headers } = request;
    // `duplex` is missing in the DOM's types, and asked for by its fetch where a body is a stream.
    const init: RequestInit & { duplex: 'half' } = { method, headers, duplex: 'half' };
    const empty = body?.length === 0;
    if (!body || (empty && /^(GET|HEAD)$/i.test(method))) return new Request(url, init);
    if (body.length < 2) return new Request(url, { ...init, body: body[0] ?? new Uint8Array() });
    return new Request(url, { ...init, body: streamOf(body) });
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
