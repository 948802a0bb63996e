import type { Timers } from '../../base/clock.js';
import { createDeadlines } from '../../base/deadlines.js';
import { formatBytes } from '../../base/text/format-bytes.js';
import { envelopeLimits } from '../../protocol/envelope/envelope-limits.js';
import { wholeBody } from '../../sandbox/wire/whole-response.js';

const largestBody = envelopeLimits['fetch-body'];

/** Short bodies of known length are passed on in one piece, which is faster than streaming them. */
const inOnePiece = 64 * 1024;

export interface LimitedBody {
  content: ReadableStream<Uint8Array> | Uint8Array | undefined;
  tooLarge(): boolean;
}

/** Limits the size of the request bodies passed to the script. */
export type Uploads = ReturnType<typeof createUploads>;

/**
 * If a script reads nothing from an upload for `unreadMs`, the rest of the upload is discarded. Until then, nothing is read
 * from the socket either, so the platform would not notice if the client disconnected.
 */
export function createUploads(timers: Timers, unreadMs: number | undefined) {
  const deadlines = unreadMs === undefined ? undefined : createDeadlines(timers, unreadMs);

  const limited = (
    body: ReadableStream<Uint8Array>,
    largest: number,
  ): LimitedBody & { content: ReadableStream } => {
    const reader = body.getReader();
    let length = 0;
    let cancelDeadline = (): void => {};
    const read = async (): Promise<Uint8Array | undefined> => {
      const { done, value } = await reader.read();
      if (done) return undefined;
      length += value.length;
      if (length > largest) throw new Error('The body is too large.');
      return value;
    };
    const discard = async (): Promise<void> => {
      while (await read());
    };
    const content = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          cancelDeadline();
          const chunk = await read();
          if (!chunk) return controller.close();
          controller.enqueue(chunk);
          cancelDeadline =
            deadlines?.start(() => {
              controller.error(new Error('The script stopped reading the request body.'));
              discard().catch(() => {});
            }) ?? cancelDeadline;
        },
        async cancel(reason) {
          cancelDeadline();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return { content, tooLarge: () => length > largest };
  };

  return {
    /** Returns the body of a request. If the body exceeds the limit, reading it fails. */
    async limit(request: Request, largest = largestBody) {
      const { method, headers } = request;
      if (method === 'GET' || method === 'HEAD') return { content: undefined, tooLarge: () => false };
      const declared = headers.get('content-length');
      if (declared !== null && Number(declared) > largest)
        return { content: undefined, tooLarge: () => true };
      if (declared !== null && Number(declared) <= inOnePiece) {
        const bytes = new Uint8Array(await request.arrayBuffer());
        return { content: bytes.length > 0 ? bytes : undefined, tooLarge: () => bytes.length > largest };
      }
      if (!request.body) return { content: undefined, tooLarge: () => false };
      const { content, tooLarge } = limited(request.body, largest);
      if (declared !== null || headers.has('transfer-encoding')) return { content, tooLarge };
      // A request that has neither a length nor chunked encoding has no body, even though Node provides a stream.
      try {
        const bytes = new Uint8Array(await new Response(content).arrayBuffer());
        return { content: bytes.length > 0 ? bytes : undefined, tooLarge };
      } catch (error) {
        if (!tooLarge()) throw error;
        return { content: undefined, tooLarge };
      }
    },
  };
}

/** The time limit for reading a response if calls have no time limit. */
export const defaultReadMs = 30_000;

/** A script's response may never end, so its size and reading time are limited. */
export interface ReadLimits {
  bytes: number;
  ms: number;
  timers: Timers;
  /** Aborted when the client waiting for the response disconnects. */
  signal?: AbortSignal | undefined;
}

/** Reads a response body to the end or to a limit, and cancels the rest. Returns the reason if it stops early. */
export async function drainResponse(
  { body }: Pick<Response, 'body'>,
  { bytes: largest, ms, timers, signal }: ReadLimits,
  take: (piece: Uint8Array) => void = () => {},
): Promise<string | undefined> {
  if (!body) return undefined;
  const reader = body.getReader();
  let stopped: string | undefined;
  const stop = (reason: string): void => {
    stopped ??= reason;
    // Ends a read that is in progress, and cancels the script's stream.
    reader.cancel(new Error(stopped)).catch(() => {});
  };
  const leave = (): void => stop('The client closed the connection.');
  const over = new AbortController();
  timers.sleep(ms, over.signal).then(
    () => stop(`The script didn't finish its response within ${ms / 1000} s.`),
    () => {},
  );
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  try {
    for (let length = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return stopped;
      take(value);
      length += value.length;
      if (length > largest) stop(`The script's response is larger than ${formatBytes(largest)}.`);
    }
  } catch {
    return stopped ?? "The script's response was cut off.";
  } finally {
    over.abort();
    signal?.removeEventListener('abort', leave);
  }
}

/** Returns a response body, or its beginning and why the rest was not read. */
export async function readResponse(
  response: Response,
  limits: ReadLimits,
): Promise<{ bytes: Uint8Array; stopped?: string }> {
  const whole = wholeBody(response);
  if (whole && whole.length <= limits.bytes) return { bytes: whole };
  const pieces: Uint8Array[] = [];
  const stopped = await drainResponse(response, limits, (piece) => pieces.push(piece));
  const bytes = Buffer.concat(pieces).subarray(0, limits.bytes);
  return stopped === undefined ? { bytes } : { bytes, stopped };
}
