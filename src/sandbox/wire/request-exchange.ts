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

interface SideOptions<Received> {
  post: Post;
  receive(message: Message<Received>): void;
  forget(): void;
  /** Whether the exchange is given up when nobody wants the rest of what comes. */
  giveUp: boolean;
}

type Post = (kind: FrameKind, head?: unknown, body?: Uint8Array) => void;

export function createSide<Sent, Received>(options: SideOptions<Received>): Side<Sent> {
  const { post, forget } = options;
  const ending = createEnding(forget);
  const { finish, isOver } = ending;
  const abort = (error: Error): void => {
    if (isOver()) return;
    post('abort', error.message);
    finish(error);
  };
  const outgoing = createOutgoing(post, ending);
  const incoming = createIncoming<Received>({ ...options, abort }, ending);

  const begin = (head: Sent): void => {
    if (!isOver()) post('head', head);
  };
  const conclude = (kind: 'whole' | 'end', head?: Sent, body?: Uint8Array): void => {
    if (isOver()) return;
    post(kind, head, body);
    ending.sent();
  };

  return {
    exchange: {
      async send(head, body) {
        if (body.length <= PIECE) return conclude('whole', head, body);
        begin(head);
        await outgoing.write(body);
        conclude('end');
      },
      begin,
      write: outgoing.write,
      end: () => conclude('end'),
      abort,
      isOver,
      whenOver: ending.whenOver,
    },
    take(frame) {
      if (frame.kind === 'room') outgoing.addRoom(frame.head);
      else if (frame.kind === 'abort') finish(new Error(String(frame.head)));
      else incoming.take(frame);
    },
    lose: () => finish(new Error('The connection is gone.')),
  };
}

interface Ending {
  /** The message to the other side has passed. */
  sent(): void;
  /** The message from the other side has passed. */
  received(): void;
  finish(error?: Error): void;
  isOver(): boolean;
  whenOver(listener: (error?: Error) => void): void;
}

/** An exchange is over when both messages have passed, or with what ended it early. */
function createEnding(forget: () => void): Ending {
  const listeners: ((error?: Error) => void)[] = [];
  const passed = { sent: false, received: false };
  let over = false;
  let fault: Error | undefined;
  const finish = (error?: Error): void => {
    if (over) return;
    over = true;
    fault = error;
    forget();
    for (const listener of listeners) listener(error);
  };
  const pass = (which: 'sent' | 'received') => (): void => {
    passed[which] = true;
    if (passed.sent && passed.received) finish();
  };
  return {
    sent: pass('sent'),
    received: pass('received'),
    finish,
    isOver: () => over,
    whenOver(listener) {
      if (over) listener(fault);
      else listeners.push(listener);
    },
  };
}

/** Sends a body as fast as the other side makes room for it. */
function createOutgoing(post: Post, { isOver, whenOver }: Ending) {
  let room = ROOM;
  let wake = (): void => {};
  whenOver(() => wake());
  return {
    async write(bytes: Uint8Array): Promise<void> {
      for (let rest = bytes; rest.length > 0;) {
        if (room === 0) await new Promise<void>((resolve) => (wake = resolve));
        if (isOver()) return;
        const piece = rest.subarray(0, Math.min(PIECE, room));
        room -= piece.length;
        post('data', null, piece);
        rest = rest.subarray(piece.length);
      }
    },
    addRoom(head: unknown): void {
      const more = Number.isInteger(head) ? Number(head) : 0;
      if (more <= 0 || room + more > ROOM) throw new RangeError('Not as much as was sent.');
      room += more;
      wake();
    },
  };
}

/** Reads the message of the other side, which may not send more than there is room for. */
function createIncoming<Received>(
  { post, receive, giveUp, abort }: Omit<SideOptions<Received>, 'forget'> & { abort(error: Error): void },
  ending: Ending,
) {
  let begun = false;
  let received = false;
  let owed = 0;
  let inlet: IncomingBody | undefined;
  ending.whenOver((error) => {
    if (error) inlet?.fail(error);
  });
  return {
    take({ kind, head, body }: Frame): void {
      const begins = kind === 'whole' || kind === 'head';
      if (begins === begun) throw new RangeError('A message has one head, and it comes first.');
      begun = true;
      if (kind === 'whole') {
        received = true;
        receive({ head: head as Received, body });
        ending.received();
      } else if (kind === 'head') {
        inlet = createIncomingBody({
          taken(bytes) {
            owed -= bytes;
            if (!received && !ending.isOver()) post('room', bytes);
          },
          cancelled: () => giveUp && abort(new Error('Nobody wants the rest.')),
        });
        receive({ head: head as Received, body: inlet.stream });
      } else if (kind === 'data') {
        owed += body.length;
        if (owed > ROOM) throw new RangeError('More than there was room for.');
        inlet?.push(body);
      } else {
        received = true;
        inlet?.end();
        ending.received();
      }
    },
  };
}
