import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timers } from '../../base/clock.js';

/** How many requests a client can send before it receives the first response. */
const mostWaiting = 64;
const checkMs = 1_000;

export interface RequestTurns {
  take(request: IncomingMessage, response: ServerResponse, start: () => void): void;
  /**
   * Must be called if the data after the last request cannot be parsed. Calls `close` once the earlier responses have been
   * sent.
   */
  end(socket: Socket, close: () => void): void;
}

/**
 * Handles one request per socket at a time. Node reports pipelined requests as they arrive, but can send their responses
 * only in order. The next request starts when the previous response has ended, unless the client has disconnected by then.
 */
export function createRequestTurns(timers: Timers): RequestTurns {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const latest = new WeakMap<Socket, IncomingMessage>();
  const ended = new WeakSet<Socket>();

  /**
   * The socket is paused when the buffer of a waiting body is full, and a paused socket does not notice when the client
   * disconnects.
   */
  const endIfFull = async (request: IncomingMessage, begin: () => void): Promise<void> => {
    const { socket } = request;
    for (;;) {
      await timers.sleep(checkMs);
      if (socket.destroyed || !waiting.get(socket)?.includes(begin)) return;
      if (request.readableLength >= request.readableHighWaterMark) return void socket.destroy();
    }
  };

  const take: RequestTurns['take'] = (request, response, start) => {
    const { socket } = request;
    latest.set(socket, request);
    const begin = (): void => {
      response.once('close', () => {
        const next = waiting.get(socket)?.shift();
        if (!next) waiting.delete(socket);
        else if (!socket.destroyed) next();
      });
      start();
    };
    const queue = waiting.get(socket);
    if (!queue) {
      waiting.set(socket, []);
      begin();
    } else if (queue.push(begin) > mostWaiting) socket.destroy();
    else if (!request.complete) void endIfFull(request, begin);
  };

  return {
    take,
    end(socket, close) {
      const queue = waiting.get(socket);
      // If a request's own body cannot be read, the request may never receive a response.
      if (!queue || latest.get(socket)?.complete !== true) return close();
      if (!ended.has(socket)) queue.push(close);
      ended.add(socket);
    },
  };
}
