import type { Environment } from '../environment.js';
import type { PlatformEvent } from '../events.js';
import { utf8 } from '../../base/hmac.js';

export interface EncodedEnvelope {
  contentType: string;
  body: ReadableStream<Uint8Array> | Uint8Array;
  /** Absent if the body is a stream of unknown length. */
  contentLength?: number;
}

/** Bodies up to this size are copied into one buffer together with the other fields. */
const inOnePiece = 64 * 1024;

/**
 * Returns the body of `POST /{version}`. A streamed body is passed through without being buffered. An absent body is not the
 * same as an empty one.
 */
export function encodeEnvelope(envelope: {
  event: PlatformEvent;
  environment: Environment;
  body?: ReadableStream<Uint8Array> | Uint8Array;
}): EncodedEnvelope {
  const boundary = `envelope-${crypto.randomUUID()}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const { event, environment, body } = envelope;
  const open = (name: string, type: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n`;
  const fields =
    `${open('event', '')}${JSON.stringify(event)}\r\n` +
    `${open('environment', '')}${JSON.stringify(environment)}\r\n`;
  const end = `--${boundary}--\r\n`;

  if (body === undefined) {
    const bytes = utf8(fields + end);
    return { contentType, body: bytes, contentLength: bytes.length };
  }
  // If the part had no file name, `formData()` would decode it as text, which would change its bytes.
  const type = '; filename="body"\r\nContent-Type: application/octet-stream';
  const head = utf8(fields + open('fetch-body', type));
  const tail = utf8(`\r\n${end}`);
  if (!(body instanceof Uint8Array)) return { contentType, body: inOrder([head], body, tail) };

  const contentLength = head.length + body.length + tail.length;
  if (body.length > inOnePiece)
    return { contentType, body: inOrder([head, body], undefined, tail), contentLength };
  const bytes = new Uint8Array(contentLength);
  bytes.set(head);
  bytes.set(body, head.length);
  bytes.set(tail, head.length + body.length);
  return { contentType, body: bytes, contentLength };
}

function inOrder(
  first: Uint8Array[],
  stream: ReadableStream<Uint8Array> | undefined,
  last: Uint8Array,
): ReadableStream<Uint8Array> {
  const reader = stream?.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = first.shift() ?? (await reader?.read())?.value;
        controller.enqueue(next ?? last);
        if (!next) controller.close();
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
