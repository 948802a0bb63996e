import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Timers } from '../../base/clock.js';

const checkMs = 4_000;
/** The minimum number of bytes that must arrive between two checks. */
const minBytes = 1_024;
/** The maximum number of consecutive checks that may find fewer bytes. */
const maxMissed = 2;

interface Progress {
  request: IncomingMessage;
  bytes: number;
  missed: number;
}

/** Closes the sockets of clients that stop sending a request body. */
export function createSlowBodies(timers: Timers) {
  const closing = new AbortController();
  /** The current request on each socket. Most requests are complete long before the first check. */
  const latest = new Map<Socket, IncomingMessage>();
  let slow = new Map<Socket, Progress>();

  const check = (): void => {
    const before = slow;
    slow = new Map();
    for (const [socket, request] of latest) {
      if (socket.destroyed || request.complete) latest.delete(socket);
      // If data has arrived but has not been read, the script is slow, not the client.
      else if (request.readableLength === 0) checkProgress(socket, request, before.get(socket));
    }
  };
  const checkProgress = (socket: Socket, request: IncomingMessage, last: Progress | undefined): void => {
    const bytes = socket.bytesRead;
    const known = last?.request === request;
    const missed = known && bytes - last.bytes < minBytes ? last.missed + 1 : 0;
    if (missed >= maxMissed) socket.destroy();
    else slow.set(socket, { request, bytes, missed });
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await timers.sleep(checkMs, closing.signal);
      check();
    }
  };
  run().catch(() => {});

  return {
    watch: (request: IncomingMessage) => void latest.set(request.socket, request),
    close: () => closing.abort(),
  };
}
