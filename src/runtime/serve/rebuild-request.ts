import type { Bytes } from '../../protocol/envelope/request-bytes.js';
import { envelopeError } from '../../protocol/envelope/envelope-limits.js';
import type { FetchEvent } from '../../protocol/events.js';

/** A body from this size on is handed out, not copied into its request. */
const large = 65_536;

/**
 * The request as the author's code sees it. The Fetch standard has no TRACE and CONNECT, and no
 * body in a GET or HEAD: such a request is refused, with a word on why.
 */
export const buildRequest = ({ request }: FetchEvent, body: Bytes | undefined): Request => {
  const { url, method } = request ?? ({} as FetchEvent['request']);
  const build = (content: BodyInit | undefined): Request => {
    try {
      // `duplex` is missing in the DOM's types, and asked for by its fetch where a body is a stream.
      return new Request(url, { ...request, body: content, duplex: 'half' } as RequestInit);
    } catch (error) {
      const why = `holds no valid request (${String(error)})`;
      throw envelopeError(400, 'event', why);
    }
  };
  const content = body?.length || !/^(GET|HEAD)$/i.test(method) ? body : undefined;
  return content && content.length >= large ? buildLarge(content, build) : build(content);
};

const buildLarge = (body: Bytes, build: (content: BodyInit) => Request): Request => {
  const request = build(
    new ReadableStream<Bytes>({
      start(controller) {
        controller.enqueue(body);
        controller.close();
      },
    }),
  );
  const { arrayBuffer } = request;
  return Object.assign(request, {
    // The standard's gathers a body and then copies it.
    async arrayBuffer() {
      if (request.bodyUsed || request.body?.locked) return arrayBuffer.call(request);
      // It ends when a clone's body has ended too.
      void request.body?.cancel();
      return body.slice().buffer;
    },
  });
};
