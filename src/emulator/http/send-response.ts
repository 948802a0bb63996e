import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { wholeBody } from '../../sandbox/wire/whole-response.js';

/**
 * Cancels the body of a response that is not sent in full. This ends the script's stream, frees its place among the open
 * streams and ends its recording. Must be called wherever a response is replaced or dropped.
 */
export function dropBody(response: Response): void {
  if (!wholeBody(response)) response.body?.cancel().catch(() => {});
}

/** Sends a response, and cancels it if the client disconnects. If reading the body fails, only this connection is closed. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const { status } = response;
  const headers = [...response.headers].flat();
  const sendBytes = (bytes: Uint8Array): void => {
    if (!response.headers.has('content-length')) headers.push('content-length', String(bytes.length));
    outgoing.writeHead(status, headers).end(bytes);
  };
  if (outgoing.destroyed || outgoing.req.method === 'HEAD') {
    dropBody(response);
    return void outgoing.writeHead(status, headers).end();
  }
  // Reading `body` would turn a whole body into a stream, which takes ten times as long as sending it.
  const whole = wholeBody(response);
  if (whole) return sendBytes(whole);
  const { body } = response;
  if (!body) return void outgoing.writeHead(status, headers).end();

  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  try {
    const first = reader.read();
    const begun = await readInTurn(first);
    const second = begun?.value && reader.read();
    // A body that is already complete is sent in one piece.
    if (begun && (begun.done || (second && (await readInTurn(second))?.done)))
      return sendBytes(begun.value ?? new Uint8Array());
    outgoing.writeHead(status, headers).flushHeaders();
    for (const read of [first, ...(second ? [second] : [])]) {
      const { done, value } = await read;
      if (!done) await write(outgoing, value);
    }
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await write(outgoing, value);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

type Read = ReadableStreamReadResult<Uint8Array>;

/**
 * Returns the result of a read if it arrives within this turn of the event loop. If the read fails, the error is handled after
 * the headers have been sent.
 */
const readInTurn = (read: Promise<Read>): Promise<Read | undefined> =>
  Promise.race([read.catch(() => undefined), turn(undefined)]);

async function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (outgoing.write(bytes) || outgoing.destroyed) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.on('drain', settle).on('close', settle);
  });
}
