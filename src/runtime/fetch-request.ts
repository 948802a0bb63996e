import { EnvelopeError } from '../protocol/envelope.js';
import type { FetchEvent } from '../protocol/events.js';
import { ExposableError } from './exposable-error.js';

/** The request's bytes in pieces; undefined where the request had no body. */
export type Body = Uint8Array<ArrayBuffer>[] | undefined;

/** Methods that the Fetch standard forbids in a Request. */
const forbidden = ['CONNECT', 'TRACE', 'TRACK'];

/** The request as the author's code sees it. */
export function buildRequest({ request }: FetchEvent, body: Body): Request {
  const { url, method, headers }: Partial<FetchEvent['request']> = request ?? {};
  if (typeof url !== 'string' || typeof method !== 'string') {
    throw new EnvelopeError(400, 'event', 'The field "event" holds no request with a url and a method.');
  }
  const verb = method.toUpperCase();
  if (forbidden.includes(verb)) {
    throw new ExposableError(`A request with the method ${verb} cannot be handed to a script.`, 405);
  }
  const size = body?.reduce((sum, piece) => sum + piece.length, 0) ?? 0;
  const bodiless = verb === 'GET' || verb === 'HEAD';
  if (bodiless && size > 0) {
    throw new ExposableError(`A ${verb} request with a body cannot be handed to a script.`, 400);
  }
  // `duplex` is missing in the types of the DOM, and asked for by its fetch where a body is a stream.
  const init: RequestInit & { duplex: 'half' } = { method, headers: headers ?? {}, duplex: 'half' };
  if (body && !bodiless) init.body = body.length > 1 ? streamOf(body) : (body[0] ?? new Uint8Array(0));
  try {
    return new Request(url, init);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EnvelopeError(400, 'event', `The field "event" holds a request that cannot be built: ${why}`);
  }
}

/** Gives each piece away as it is read, so that a large body is not held twice. */
function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
