import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { encodeFrame } from '../../../src/sandbox/wire/frames.js';
import type { Exchange, Message } from '../../../src/sandbox/wire/request-exchange.js';
import { createConnection, type Connection } from '../../../src/sandbox/wire/connection.js';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect(server.address() as { port: number });
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  sockets.push(near, far);
  return [near, far];
}

type Serve = (message: Message<string>, exchange: Exchange<string>) => void | Promise<void>;

interface Pair {
  near: Socket;
  far: Socket;
  link: Connection<string, string>;
  ask(head: string, body?: Uint8Array): Promise<Message<string>>;
}

async function linked(serve: Serve): Promise<Pair> {
  const [near, far] = await socketPair();
  createConnection<string, string>(far, { accept: (exchange, message) => void serve(message, exchange) });
  const link = createConnection<string, string>(near);
  return {
    near,
    far,
    link,
    ask: (head, body = new Uint8Array()) =>
      new Promise((resolve, reject) => {
        const exchange = link.open(resolve);
        exchange.whenOver((error) => error && reject(error));
        void exchange.send(head, body);
      }),
  };
}

function begin(link: Pair['link']): { answer: Promise<Message<string>>; exchange: Exchange<string> } {
  let receive = (_message: Message<string>): void => {};
  const answer = new Promise<Message<string>>((resolve) => (receive = resolve));
  return { answer, exchange: link.open(receive) };
}

const text = ({ body }: Message<string>): Promise<string> => new Response(body).text();
const bytes = (of: string): Uint8Array => new TextEncoder().encode(of);
const echo: Serve = ({ head, body }, exchange) => exchange.send(`re: ${head}`, body as Uint8Array);

test('sends all messages from one event loop turn in a single write', async () => {
  const pieces: Buffer[] = [];
  const write = (piece: Buffer, _: string, done: () => void): void => {
    pieces.push(piece);
    done();
  };
  const link = createConnection<string, string>(new Duplex({ read() {}, write }));
  for (let n = 0; n < 50; n += 1) void link.open(() => {}).send('head', bytes('body'));
  await new Promise(setImmediate);
  expect(pieces.map(({ length }) => length)).toEqual([
    50 * encodeFrame(0, 'whole', 1, 'head', bytes('body')).length,
  ]);
});

test('matches each response to its request', async () => {
  const { ask } = await linked(echo);
  const names = Array.from({ length: 50 }, (_, n) => `call ${n}`);
  const answers = await Promise.all(names.map((name) => ask(name, bytes(name))));
  expect(answers.map(({ head }) => head)).toEqual(names.map((name) => `re: ${name}`));
  expect(await Promise.all(answers.map(text))).toEqual(names);
});

test('splits messages larger than a frame in both directions', async () => {
  const { ask } = await linked(async ({ body }, exchange) => {
    expect(body).toBeInstanceOf(ReadableStream);
    await exchange.send('back', new Uint8Array(await new Response(body).arrayBuffer()));
  });
  const large = Uint8Array.from({ length: 3 * 1024 * 1024 }, (_, index) => index % 251);
  const { body } = await ask('large', large);
  expect(Buffer.from(await new Response(body).arrayBuffer()).equals(large)).toBe(true);
});

test('serves other requests while a body remains unread', async () => {
  let slow: Message<string> | undefined;
  const { link, ask } = await linked((message, exchange) => {
    if (message.head === 'slow') slow = message;
    else return echo(message, exchange);
  });
  const piece = new Uint8Array(48 * 1024).fill(7);
  let sent = 0;
  const exchange = link.open(() => {});
  exchange.begin('slow');
  const sending = (async () => {
    for (; sent < 2 * 1024 * 1024; sent += piece.length) await exchange.write(piece);
    exchange.end();
  })();
  for (let n = 0; n < 20; n += 1) expect(await text(await ask('quick', bytes('!')))).toBe('!');
  expect(sent).toBeGreaterThan(200 * 1024);
  expect(sent).toBeLessThan(400 * 1024);
  const body = new Uint8Array(await new Response(slow?.body).arrayBuffer());
  await sending;
  expect(body.length).toBe(sent);
  expect(body.every((byte) => byte === 7)).toBe(true);
});

test('discards the rest of a body that the server ignores', async () => {
  const { link } = await linked(async (message, exchange) => {
    await (message.body as ReadableStream).cancel();
    void exchange.send('enough', new Uint8Array());
  });
  const { answer, exchange } = begin(link);
  exchange.begin('large');
  expect((await answer).head).toBe('enough');
  await exchange.write(new Uint8Array(2 * 1024 * 1024));
  expect(exchange.isOver()).toBe(false);
  exchange.end();
  expect(exchange.isOver()).toBe(true);
});

test('cancels a request when the client cancels it early', async () => {
  let over = (_error?: Error): void => {};
  const given = new Promise<Error | undefined>((resolve) => (over = resolve));
  const { ask } = await linked((_, exchange) => {
    exchange.whenOver(over);
    exchange.begin('for ever');
    void exchange.write(new Uint8Array(1000));
  });
  const { body } = await ask('go');
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  expect(await given).toEqual(new Error('The rest of the body is not needed.'));
});

test('passes the reason for canceling a request to the other side', async () => {
  const { ask, link } = await linked(({ head, body }, exchange) => {
    if (head === 'no answer') exchange.abort(new Error('no time'));
    else if (body instanceof ReadableStream) setTimeout(() => exchange.abort(new Error('no room')), 20);
    else {
      exchange.begin('half an answer');
      exchange.abort(new Error('no more'));
    }
  });
  await expect(ask('no answer')).rejects.toThrow('no time');
  await expect(text(await ask('half'))).rejects.toThrow('no more');

  const exchange = link.open(() => {});
  exchange.begin('large');
  await exchange.write(new Uint8Array(2 * 1024 * 1024));
  expect(exchange.isOver()).toBe(true);
  exchange.whenOver((error) => expect(error).toEqual(new Error('no room')));
  expect.assertions(4);
});

test('aborts all requests when the connection is lost, and starts no new ones', async () => {
  const { far, near, ask } = await linked(() => void far.destroy());
  await expect(ask('one')).rejects.toThrow('The connection was lost.');
  expect(near.destroyed).toBe(true);
  await expect(ask('two')).rejects.toThrow('The connection was lost.');
});

test.each<[string, (seal: number, number: number) => Buffer]>([
  ['bytes that are not frames', () => Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
  ['a "room" frame for more bytes than were sent', (seal, number) => encodeFrame(seal, 'room', number, 5)],
  ['a "room" frame without a number', (seal, number) => encodeFrame(seal, 'room', number, 'much')],
  ['a "room" frame for a fraction of a byte', (seal, number) => encodeFrame(seal, 'room', number, 0.5)],
  ['a frame with a wrong number', (seal, number) => encodeFrame((seal ^ 1) >>> 0, 'whole', number, 'forged')],
  ['an "end" frame before the "head" frame', (seal, number) => encodeFrame(seal, 'end', number)],
  [
    'a second "head" frame',
    (seal, number) =>
      Buffer.concat([encodeFrame(seal, 'head', number, 'one'), encodeFrame(seal, 'head', number, 'two')]),
  ],
  [
    'more bytes than the other side can buffer',
    (seal, number) =>
      Buffer.concat([
        encodeFrame(seal, 'head', number, 'large'),
        ...Array.from({ length: 5 }, () =>
          encodeFrame(seal, 'data', number, null, new Uint8Array(64 * 1024)),
        ),
      ]),
  ],
])('closes the connection if the other side sends %s', async (_, damage) => {
  const [near, far] = await socketPair();
  far.on('data', (request: Buffer) => far.write(damage(request.readUInt32LE(0), request.readUInt32LE(9))));
  const link = createConnection<string, string>(near);
  const error = await new Promise((resolve) => {
    const exchange = link.open(() => {});
    exchange.whenOver(resolve);
    exchange.begin('go');
    void exchange.write(bytes('some'));
  });
  expect(error).toEqual(new Error('The connection was lost.'));
});

test('sends messages even if a script blocks the global timers while it loads', async () => {
  const { ask } = await linked((_, exchange) => void exchange.send('answer', new Uint8Array()));
  vi.stubGlobal('setImmediate', () => {
    throw new Error('refused');
  });
  try {
    expect((await ask('question')).head).toBe('answer');
  } finally {
    vi.unstubAllGlobals();
  }
});
