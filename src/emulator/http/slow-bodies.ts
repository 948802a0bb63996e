import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.js';

/** Frees the sockets of clients that do not go on with the body of their request. */
export interface SlowBodies {
  watch(request: IncomingMessage): void;
  close(): void;
}

const checkMs = 4_000;
/** Between two checks. */
const leastBytes = 1_024;
/** Checks in a row that find too little. */
const mostMissed = 2;

interface Progress {
  request: IncomingMessage;
  bytes: number;
  missed: number;
}

export function createSlowBodies(clock: Clock): SlowBodies {
  const closing = new AbortController();
  /** One request of a socket at a time: most are complete long before a check. */
  const latest = new Map<Socket, IncomingMessage>();
  let slow = new Map<Socket, Progress>();

  const check = (): void => {
    const before = slow;
    slow = new Map();
    for (const [socket, request] of latest) {
      if (socket.destroyed || request.complete) latest.delete(socket);
      // What has come and is not read yet waits for the script, not for the client.
      else if (request.readableLength === 0) judge(socket, request, before.get(socket));
    }
  };
  const judge = (socket: Socket, request: IncomingMessage, last: Progress | undefined): void => {
    const bytes = socket.bytesRead;
    const known = last?.request === request;
    const missed = known && bytes - last.bytes < leastBytes ? last.missed + 1 : 0;
    if (missed >= mostMissed) socket.destroy();
    else slow.set(socket, { request, bytes, missed });
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(checkMs, closing.signal);
      check();
    }
  };
  run().catch(() => {});

  return {
    watch: (request) => void latest.set(request.socket, request),
    close: () => closing.abort(),
  };
}
