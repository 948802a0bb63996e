import type { Duplex } from 'node:stream';
import { createFrameReader, encodeFrame, type Frame, type FrameKind } from './frames.js';
import { createInlet, type Inlet } from './inlet.js';

/** What one side says to the other in an exchange: bytes where all of the body came with the head. */
export interface Message<Head> {
  head: Head;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** A message to the other side and one from it, both as long as they like, in any order. */
export interface Exchange<Sent> {
  /** The whole message. It leaves in one piece: a body that is not small goes by `begin`, `write` and `end`. */
  send(head: Sent, body: Uint8Array): void;
  begin(head: Sent): void;
  /** Resolves when it is on its way, or nobody wants it any more. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  /** Gives the exchange up on both sides. */
  abort(error: Error): void;
  isOver(): boolean;
  /** Called when both messages have passed, or with what ended the exchange early; at once if it has. */
  whenOver(listener: (error?: Error) => void): void;
}

export interface Link<Sent, Received> {
  open(receive: (message: Message<Received>) => void): Exchange<Sent>;
}

/** How much of a body may be on its way to somebody who is slow to take it. */
const ROOM = 256 * 1024;
const PIECE = 64 * 1024;

/** Any number of exchanges over one socket. Whoever answers them says how with `accept`. */
export function createLink<Sent, Received>(
  socket: Duplex,
  accept?: (exchange: Exchange<Sent>, message: Message<Received>) => void,
): Link<Sent, Received> {
  const exchanges = new Map<number, Side<Sent>>();
  let count = 0;
  const post = createPost(socket);

  const create = (number: number, receive: (message: Message<Received>) => void): Side<Sent> => {
    const side: Side<Sent> = createSide<Sent, Received>({
      post: (kind, head, body) => post(encodeFrame(kind, number, head, body)),
      receive,
      forget: () => exchanges.delete(number),
      giveUp: accept === undefined,
    });
    exchanges.set(number, side);
    return side;
  };

  const read = createFrameReader((frame) => {
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
      // The script can reach the socket too. Where one frame is damaged, nobody knows where the next begins.
      socket.destroy();
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

interface Side<Sent> {
  exchange: Exchange<Sent>;
  take(frame: Frame): void;
  /** The socket is gone. */
  lose(): void;
}

function createSide<Sent, Received>({
  post,
  receive,
  forget,
  giveUp,
}: {
  post(kind: FrameKind, head?: unknown, body?: Uint8Array): void;
  receive(message: Message<Received>): void;
  forget(): void;
  /** Whether the exchange is given up when nobody wants the rest of what comes. */
  giveUp: boolean;
}): Side<Sent> {
  const listeners: ((error?: Error) => void)[] = [];
  let sent = false;
  let received = false;
  let over = false;
  let fault: Error | undefined;
  let room = ROOM;
  let owed = 0;
  let wake = (): void => {};
  let inlet: Inlet | undefined;

  const finish = (error?: Error): void => {
    if (over) return;
    over = true;
    fault = error;
    forget();
    wake();
    if (error) inlet?.fail(error);
    for (const listener of listeners) listener(error);
  };
  const settle = (): void => {
    if (sent && received) finish();
  };
  const abort = (error: Error): void => {
    if (over) return;
    post('abort', error.message);
    finish(error);
  };

  return {
    exchange: {
      send(head, body) {
        if (over) return;
        post('whole', head, body);
        sent = true;
        settle();
      },
      begin(head) {
        if (!over) post('head', head);
      },
      async write(bytes) {
        for (let rest = bytes; rest.length > 0;) {
          if (room === 0) await new Promise<void>((resolve) => (wake = resolve));
          if (over) return;
          const piece = rest.subarray(0, Math.min(PIECE, room));
          room -= piece.length;
          post('data', null, piece);
          rest = rest.subarray(piece.length);
        }
      },
      end() {
        if (over) return;
        post('end');
        sent = true;
        settle();
      },
      abort,
      isOver: () => over,
      whenOver(listener) {
        if (over) listener(fault);
        else listeners.push(listener);
      },
    },
    take({ kind, head, body }) {
      if (kind === 'whole') {
        received = true;
        receive({ head: head as Received, body });
        settle();
      } else if (kind === 'head') {
        inlet = createInlet({
          taken(bytes) {
            owed -= bytes;
            if (!received && !over) post('room', bytes);
          },
          cancelled: () => giveUp && abort(new Error('Nobody wants the rest.')),
        });
        receive({ head: head as Received, body: inlet.stream });
      } else if (kind === 'data') {
        owed += body.length;
        if (owed > ROOM) throw new RangeError('More than there was room for.');
        inlet?.push(body);
      } else if (kind === 'end') {
        received = true;
        inlet?.end();
        settle();
      } else if (kind === 'room') {
        const bytes = Number(head);
        if (!(bytes > 0 && room + bytes <= ROOM)) throw new RangeError('More than was ever sent.');
        room += bytes;
        wake();
      } else finish(new Error(String(head)));
    },
    lose: () => finish(new Error('The connection is gone.')),
  };
}
