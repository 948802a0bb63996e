import { ReadableStream } from 'node:stream/web';
import type { Beginning } from './beginning-of-body.js';

type FetchArguments = [input: string | URL | Request, init: RequestInit | undefined];

interface WatchedRequest {
  /** The arguments to pass to `fetch`. A streamed body is observed while it is being sent. */
  args: FetchArguments;
  /** The length of the body, if it is known before the request is sent. */
  length?: number;
  /** The content type that `fetch` derives from the body. */
  contentType?: string | null;
}

/** Saved before a script can replace these functions. */
const { Blob, FormData, Request, Response, URLSearchParams } = globalThis;

const encoder = new TextEncoder();

/** Copies the beginning of a request's body to `beginning` without changing what the request sends. */
export function watchRequest([input, init]: FetchArguments, beginning: Beginning): WatchedRequest {
  const args: FetchArguments = [input, init];
  const body: unknown = init?.body ?? undefined;
  if (body === undefined) {
    if (!beginning.isFull() && input instanceof Request && input.body && !input.bodyUsed)
      void readInto(beginning, input.clone().body);
    return { args };
  }
  if (typeof body === 'string') return whole(encoder.encode(body), 'text/plain;charset=UTF-8');
  if (body instanceof URLSearchParams)
    return whole(encoder.encode(body.toString()), 'application/x-www-form-urlencoded;charset=UTF-8');
  if (body instanceof ArrayBuffer) return whole(new Uint8Array(body));
  if (ArrayBuffer.isView(body)) return whole(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  const length = body instanceof Blob ? { length: body.size } : {};
  if (beginning.isFull()) return { args, ...length };
  if (body instanceof Blob || body instanceof FormData) {
    const copy = new Response(body);
    void readInto(beginning, copy.body);
    return { args, ...length, contentType: copy.headers.get('content-type') };
  }
  if (!isIterable(body)) return { args };
  return { args: [input, { ...init, body: ReadableStream.from(watched(body, beginning)) as BodyInit }] };

  function whole(bytes: Uint8Array, contentType: string | null = null): WatchedRequest {
    beginning.add(bytes);
    return { args, length: bytes.byteLength, contentType };
  }
}

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function* watched(body: AsyncIterable<Uint8Array>, beginning: Beginning): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    if (chunk instanceof Uint8Array) beginning.add(chunk);
    yield chunk;
  }
}

/** Stops reading the copy as early as possible, because unread data stays in memory until the other copy has been sent. */
async function readInto(beginning: Beginning, copy: AsyncIterable<Uint8Array> | null): Promise<void> {
  if (!copy) return;
  try {
    for await (const chunk of copy) {
      beginning.add(chunk);
      if (beginning.isFull()) break;
    }
  } catch {
    // The request itself fails with the same error.
  }
}
