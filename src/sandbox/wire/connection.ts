import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
// The global one is refused while an author's script loads.
import { setImmediate } from 'node:timers';
import { createSide, type Exchange, type Message, type Side } from './request-exchange.js';
import { createFrameReader, encodeFrame } from './frames.js';

export interface Connection<Sent, Received> {
  open(receive: (message: Message<Received>) => void): Exchange<Sent>;
}

/** Any number of exchanges over one socket. Whoever answers them says how with `accept`. */
export function createConnection<Sent, Received>(
  socket: Duplex,
  {
    accept,
    damaged = () => {},
  }: {
    accept?(exchange: Exchange<Sent>, message: Message<Received>): void;
    /** What has come is no frame. */
    damaged?(): void;
  } = {},
): Connection<Sent, Received> {
  const exchanges = new Map<number, Side<Sent>>();
  let count = 0;
  const post = createPost(socket);
  /** Who accepts learns it from the first frame. */
  let seal = accept ? undefined : randomInt(2 ** 32);

  const create = (number: number, receive: (message: Message<Received>) => void): Side<Sent> => {
    const side: Side<Sent> = createSide<Sent, Received>({
      post: (kind, head, body) => post(encodeFrame(seal ?? 0, kind, number, head, body)),
      receive,
      forget: () => exchanges.delete(number),
      giveUp: accept === undefined,
    });
    exchanges.set(number, side);
    return side;
  };

  const isSeal = (given: number): boolean => given === (seal ??= given);
  const read = createFrameReader(isSeal, (frame) => {
    const known = exchanges.get(frame.exchange);
    if (known) known.take(frame);
    else if (accept && (frame.kind === 'whole' || frame.kind === 'head')) {
      const side = create(frame.exchange, (message) => accept(side.exchange, message));
      side.take(frame);
    }
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch {
      // The script can reach the socket too. Where one frame is damaged, the next may begin anywhere.
      socket.destroy();
      damaged();
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const { lose } of exchanges.values()) lose();
  });

  return {
    open(receive) {
      count = (count + 1) % 2 ** 32;
      const side = create(count, receive);
      if (socket.destroyed) setImmediate(side.lose);
      return side.exchange;
    },
  };
}

/** What is sent in one turn of the event loop leaves together: each arrival wakes the other process. */
function createPost(socket: Duplex): (frame: Buffer) => void {
  let frames: Buffer[] = [];
  const flush = (): void => {
    const [first, ...others] = frames;
    if (first && socket.writable) socket.write(others.length === 0 ? first : Buffer.concat(frames));
    frames = [];
  };
  return (frame) => {
    if (frames.length === 0) setImmediate(flush);
    frames.push(frame);
  };
}
