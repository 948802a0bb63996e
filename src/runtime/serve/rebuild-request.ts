import type { Bytes } from '../../protocol/envelope/request-bytes.js';
import { envelopeError } from '../../protocol/envelope/envelope-limits.js';
import type { FetchEvent } from '../../protocol/events.js';

/** Bodies of at least this size are streamed instead of being copied into the request. */
const large = 65_536;

/**
 * Returns the request that the author's code receives. The Fetch standard forbids TRACE, CONNECT, and bodies
 * in GET and HEAD requests, so such requests are rejected with an explanation.
 */
export const buildRequest = ({ request }: FetchEvent, body: Bytes | undefined): Request => {
  const { url, method } = request ?? ({} as FetchEvent['request']);
  const build = (content: BodyInit | undefined): Request => {
    try {
      // A stream as the body requires `duplex`, which is missing in the DOM types.
      return new Request(url, { ...request, body: content, duplex: 'half' } as RequestInit);
    } catch (error) {
      const why = `is not a valid request (${String(error)})`;
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
    // The built-in method collects the whole body and then copies it.
    async arrayBuffer() {
      if (request.bodyUsed || request.body?.locked) return arrayBuffer.call(request);
      // Not awaited: cancel() resolves only when the body of every clone has ended.
      void request.body?.cancel();
      return body.slice().buffer;
    },
  });
};
