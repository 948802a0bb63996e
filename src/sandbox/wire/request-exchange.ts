import type { Frame, FrameKind } from './frames.js';
import { createIncomingBody, type IncomingBody } from './incoming-body.js';

/** One side's message in an exchange. The body is a byte array if all of it arrived with the head. */
export interface Message<Head> {
  head: Head;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Two messages, one in each direction. They can have any length, and their parts can be interleaved. */
export interface Exchange<Sent> {
  /** Sends the whole message, in a single frame if it is small. Resolves under the same condition as `write`. */
  send(head: Sent, body: Uint8Array): Promise<void>;
  begin(head: Sent): void;
  /** Resolves when the bytes are on their way, or when they are no longer needed. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  /** Aborts the exchange on both sides. */
  abort(error: Error): void;
  isOver(): boolean;
  /**
   * Calls the listener when both messages are complete, or with an error if the exchange ends early. If the exchange is already
   * over, calls the listener immediately.
   */
  whenOver(listener: (error?: Error) => void): void;
}

/** Maximum number of body bytes that can be in transit to a slow reader. */
const ROOM = 256 * 1024;
const PIECE = 64 * 1024;

/** The in-memory state of an exchange. */
export interface Side<Sent> {
  exchange: Exchange<Sent>;
  take(frame: Frame): void;
  /** Call this when the socket has been lost. */
  lose(): void;
}

interface SideOptions<Received> {
  post: Post;
  receive(message: Message<Received>): void;
  forget(): void;
  /** Whether to abort the exchange when the rest of the incoming body is not needed. */
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
    lose: () => finish(new Error('The connection was lost.')),
  };
}

type Ending = ReturnType<typeof createEnding>;

/** Ends an exchange when both messages are complete, or as soon as there is an error. */
function createEnding(forget: () => void) {
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
    /** Call this when the outgoing message is complete. */
    sent: pass('sent'),
    /** Call this when the incoming message is complete. */
    received: pass('received'),
    finish,
    isOver: () => over,
    whenOver(listener: (error?: Error) => void) {
      if (over) listener(fault);
      else listeners.push(listener);
    },
  };
}

/** Sends a body as fast as the other side allows. */
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
      if (more <= 0 || room + more > ROOM)
        throw new RangeError('The other side reports more bytes read than were sent.');
      room += more;
      wake();
    },
  };
}

/** Reads the other side's message, and checks that the other side sends no more than it is allowed to. */
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
      if (begins === begun) throw new RangeError('The head of a message must come first, and only once.');
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
          cancelled: () => giveUp && abort(new Error('The rest of the body is not needed.')),
        });
        receive({ head: head as Received, body: inlet.stream });
      } else if (kind === 'data') {
        owed += body.length;
        if (owed > ROOM) throw new RangeError('The other side sent more than there was room for.');
        inlet?.push(body);
      } else {
        received = true;
        inlet?.end();
        ending.received();
      }
    },
  };
}
