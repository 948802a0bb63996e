import { joinBlocks, type Blocks } from '../protocol/byte-blocks.js';
import { EnvelopeError } from '../protocol/envelope.js';
import type { FetchEvent } from '../protocol/events.js';

/**
 * The request as the author's code sees it. The Fetch standard has no TRACE and CONNECT, and no
 * body in a GET or HEAD: such a request is refused, with a word on why.
 */
export function buildRequest({ request }: FetchEvent, body: Blocks | undefined): Request {
  try {
    if (!request) throw new TypeError('the event holds none');
    const { url, method, headers } = request;
    const none = !body || (body.length === 0 && /^(GET|HEAD)$/i.test(method));
    // `duplex` is missing in the DOM's types, and asked for by its fetch where a body is a stream.
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers,
      body: none ? null : bodyOf(body),
      duplex: 'half',
    };
    return new Request(url, init);
  } catch (error) {
    const why = (error as Error).message.replace(/[.]$/, '');
    throw new EnvelopeError(400, 'event', `holds a request that cannot be built: ${why}`);
  }
}

/** Of several pieces, each is given away as it is read, so that a large body is not held twice. */
const bodyOf = (pieces: Blocks): BodyInit =>
  pieces.length < 2
    ? joinBlocks(pieces)
    : new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces.splice(0)) controller.enqueue(piece);
          controller.close();
        },
      });
