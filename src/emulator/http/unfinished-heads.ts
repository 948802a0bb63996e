import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const mostKiB = 512 * 1024;

/**
 * Limits how much memory incomplete request headers can use. When the limit is exceeded, closes the connection that has been
 * waiting longest, which is idle or slow.
 */
export function createUnfinishedHeads(headKiB: number) {
  const most = mostKiB / headKiB;
  const waiting = new Set<Socket>();
  const open = new WeakMap<Socket, number>();

  const wait = (socket: Socket): void => {
    if (socket.destroyed) return;
    waiting.add(socket);
    const [oldest] = waiting;
    if (waiting.size > most) oldest?.destroy();
  };
  return {
    connected(socket: Socket): void {
      socket.once('close', () => waiting.delete(socket));
      wait(socket);
    },
    arrived(socket: Socket, response: ServerResponse): void {
      waiting.delete(socket);
      open.set(socket, (open.get(socket) ?? 0) + 1);
      response.once('close', () => {
        const left = (open.get(socket) ?? 1) - 1;
        open.set(socket, left);
        if (left === 0) wait(socket);
      });
    },
  };
}
