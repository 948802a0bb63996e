import type { Frame, FrameKind } from './frames.js';
import { createIncomingBody, type IncomingBody } from './incoming-body.js';

/** What one side says to the other in an exchange: bytes where all of the body came with the head. */
export interface Message<Head> {
  head: Head;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** A message to the other side and one from it, both as long as they like, in any order. */
export interface Exchange<Sent> {
  /** The whole message, in one piece where it is small. Resolves as `write` does. */
  send(head: Sent, body: Uint8Array): Promise<void>;
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

/** How much of a body may be on its way to somebody who is slow to take it. */
const ROOM = 256 * 1024;
const PIECE = 64 * 1024;

/** What a link keeps of an exchange. */
export interface Side<Sent> {
  exchange: Exchange<Sent>;
  take(frame: Frame): void;
  /** The socket is gone. */
  lose(): void;
}

export function createSide<Sent, Received>({
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
  let begun = false;
  let received = false;
  let over = false;
  let fault: Error | undefined;
  let room = ROOM;
  let owed = 0;
  let wake = (): void => {};
  let inlet: IncomingBody | undefined;

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

  const begin = (head: Sent): void => {
    if (!over) post('head', head);
  };
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let rest = bytes; rest.length > 0;) {
      if (room === 0) await new Promise<void>((resolve) => (wake = resolve));
      if (over) return;
      const piece = rest.subarray(0, Math.min(PIECE, room));
      room -= piece.length;
      post('data', null, piece);
      rest = rest.subarray(piece.length);
    }
  };
  const conclude = (kind: 'whole' | 'end', head?: Sent, body?: Uint8Array): void => {
    if (over) return;
    post(kind, head, body);
    sent = true;
    settle();
  };

  return {
    exchange: {
      async send(head, body) {
        if (body.length <= PIECE) return conclude('whole', head, body);
        begin(head);
        await write(body);
        conclude('end');
      },
      begin,
      write,
      end: () => conclude('end'),
      abort,
      isOver: () => over,
      whenOver(listener) {
        if (over) listener(fault);
        else listeners.push(listener);
      },
    },
    take({ kind, head, body }) {
      const begins = kind === 'whole' || kind === 'head';
      if (begins ? begun : !begun && (kind === 'data' || kind === 'end'))
        throw new RangeError('A message has one head, and it comes first.');
      begun ||= begins;
      if (kind === 'whole') {
        received = true;
        receive({ head: head as Received, body });
        settle();
      } else if (kind === 'head') {
        inlet = createIncomingBody({
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
        const more = Number.isInteger(head) ? Number(head) : 0;
        if (more <= 0 || room + more > ROOM) throw new RangeError('Not as much as was sent.');
        room += more;
        wake();
      } else finish(new Error(String(head)));
    },
    lose: () => finish(new Error('The connection is gone.')),
  };
}
