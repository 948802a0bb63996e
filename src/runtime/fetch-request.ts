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
    const built = new Request(url, init);
    return none || body.length < 2 ? built : readOnce(built, body);
  } catch (error) {
    const why = (error as Error).message.replace(/[.]$/, '');
    throw new EnvelopeError(400, 'event', `holds a request that cannot be built: ${why}`);
  }
}

/** Of several pieces, each is given away as it is read, so that a large body is not held twice. */
const bodyOf = (pieces: Blocks): BodyInit =>
  pieces.length < 2
    ? joinBlocks(pieces)
    : new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = pieces.shift();
            if (piece) controller.enqueue(piece);
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );

/** Joins a large body from its pieces, where the platform's own way holds it three times. */
function readOnce(request: Request, pieces: Blocks): Request {
  const standard = request.arrayBuffer.bind(request);
  const { length } = pieces;
  return Object.assign(request, {
    async arrayBuffer() {
      // A clone that was read has taken pieces away.
      if (request.bodyUsed || request.body?.locked || pieces.length < length) return standard();
      // It ends when a clone's body has ended too.
      void request.body?.cancel();
      return joinBlocks(pieces).buffer;
    },
  });
}
