import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client may send this many requests before the response to the first one. */
const mostWaiting = 64;

/**
 * One open request per socket: Node reports pipelined requests as they arrive, but can send their responses
 * only in order. The next one starts when the response before it has ended, and never if the client is gone
 * by then.
 */
export function createRequestTurns(): (
  request: IncomingMessage,
  response: ServerResponse,
  start: () => void,
) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>();

  return ({ socket }, response, start) => {
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
  };
}
