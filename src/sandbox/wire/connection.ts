import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
// Imported, because the global function is blocked while a script loads.
import { setImmediate } from 'node:timers';
import { createSide, type Exchange, type Message, type Side } from './request-exchange.js';
import { createFrameReader, encodeFrame } from './frames.js';

export interface Connection<Sent, Received> {
  open(receive: (message: Message<Received>) => void): Exchange<Sent>;
}

/** Carries several exchanges over one socket. The responding side passes `accept`. */
export function createConnection<Sent, Received>(
  socket: Duplex,
  {
    accept,
    damaged = () => {},
  }: {
    accept?(exchange: Exchange<Sent>, message: Message<Received>): void;
    /** Called when invalid data arrives instead of a frame. */
    damaged?(): void;
  } = {},
): Connection<Sent, Received> {
  const exchanges = new Map<number, Side<Sent>>();
  let count = 0;
  const post = createPost(socket);
  /** The accepting side learns the seal from the first frame that it receives. */
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
      // The script can write to the socket too. After a corrupt frame, there is no way to know where the next one starts.
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

/** Sends all data from one turn of the event loop in a single write, because each write wakes the other process. */
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
