import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { listen, type Listener } from '../../../src/emulator/http/listen.js';
import { createVirtualClock, systemClock } from '../../../src/base/clock.js';
import { createWholeResponse } from '../../../src/sandbox/wire/whole-response.js';
import { amount } from '../../support/proved.js';

let listener: Listener;
let port = 0;
beforeAll(async () => {
  listener = await listen({ port: 0, timers: systemClock });
  listener.serve((request) => {
    if (request.url.endsWith('/untyped')) return new Response(new Uint8Array(3));
    if (request.url.endsWith('/breaks')) return new Response(breaking());
    return new Response(new URL(request.url).host);
  });
  port = Number(new URL(listener.origin).port);
});
afterAll(() => listener.close());

const breaking = (): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        setTimeout(() => controller.error(new Error('broken')), 20);
      },
    },
    { highWaterMark: 0 },
  );

/** What comes back for bytes on a bare socket; the sending side stays open. */
const send = (bytes: Uint8Array | string, timeout = 8_000): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (data) => {
      answer += data;
      if (answer.includes('\r\n\r\n')) socket.end();
    });
    socket.on('error', () => {}).on('close', () => resolve(answer));
    setTimeout(() => socket.destroy(), timeout);
  });

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

test.each<[string, string, number]>([
  ['a plain request', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 200],
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n', 400],
  ['a missing Host header', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a missing Host header in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 400],
  ['an invalid Host header', 'GET / HTTP/1.1\r\nHost: ::bad::[\r\n\r\n', 400],
  ['a Host header with a path', 'GET / HTTP/1.1\r\nHost: localhost/x\r\n\r\n', 400],
  ['a Host header with credentials', 'GET / HTTP/1.1\r\nHost: a@localhost\r\n\r\n', 400],
  ['an absolute request target', 'GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['an asterisk as the request target', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['a CONNECT request', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
  ['text that is not HTTP', 'hello there\r\n\r\n', 400],
])('responds with the correct status to %s', async (_, head, expected) => {
  expect(status(await send(head))).toBe(expected);
});

test('does not read the host from a path that begins with two slashes', async () => {
  const answer = await send('GET //evil.example/ HTTP/1.1\r\nHost: localhost:80\r\n\r\n');
  expect(answer).not.toContain('evil');
});

test('does not add a content type to a response that has none', async () => {
  const typed = await send('GET /typed HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(typed.toLowerCase()).toContain('content-type: text/plain;charset=utf-8');
  const untyped = await send('GET /untyped HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(untyped.toLowerCase()).toContain('content-length: 3');
  expect(untyped.toLowerCase()).not.toContain('content-type');
});

test('responds to every complete request among random ones and keeps listening', async () => {
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const noise = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(random(256))).join('');
  const heads = Array.from({ length: amount(500, 5000) }, () => {
    const place = random(3);
    const target = place === 0 ? noise(random(40)) : '/';
    const host = place === 1 ? noise(random(40)) : 'localhost';
    const origin = place === 2 ? noise(random(40)) : 'http://localhost';
    return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\n\r\n`, 'latin1');
  });
  for (const head of heads) {
    const answer = status(await send(head, 7_000));
    expect([200, 400, 431], head.toString('latin1')).toContain(answer);
  }
  expect(status(await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))).toBe(200);
}, 60_000);

test('closes a connection if its headers never end', async () => {
  await send('GET / HTTP/1.1\r\nHost: localhost\r\nX-Unfinished: ', 20_000);
}, 25_000);

test('listens only on the loopback interface', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeGreaterThan(0);
  // A listener on all interfaces would also accept a connection to this one.
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow();
});

test('closes the connection if a response body fails, without printing an error', async () => {
  const printed: unknown[] = [];
  for (const method of ['error', 'info'] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args));
  const answer = await fetch(`http://127.0.0.1:${port}/breaks`);
  await expect(answer.arrayBuffer()).rejects.toThrow();
  expect(status(await send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))).toBe(200);
  expect(printed).toEqual([]);
  vi.restoreAllMocks();
});

test('responds with 503 until the handlers are ready', async () => {
  const early = await listen({ port: 0, timers: systemClock });
  const before = await fetch(early.origin);
  expect([before.status, await before.json()]).toEqual([503, { error: 'The local platform is starting.' }]);
  early.serve(() => new Response('ready'));
  expect(await (await fetch(early.origin)).text()).toBe('ready');
  await early.close();
});

test('closes the server once a pending request ends, without waiting for its connection to close', async () => {
  const begun = gate();
  const held = gate();
  const busy = await listen({ port: 0, timers: createVirtualClock() });
  busy.serve(async () => {
    begun.open();
    await held.opened;
    return new Response('done');
  });
  const answer = fetch(busy.origin);
  await begun.opened;
  const closed = busy.close();
  held.open();
  expect(await (await answer).text()).toBe('done');
  await closed;
});

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

test('leaves no timer running if the port is in use', async () => {
  const clock = createVirtualClock();
  await expect(listen({ port, timers: clock })).rejects.toThrow('EADDRINUSE');
  await vi.waitFor(() => expect(clock.waiting().count).toBe(0));
});

test('serves pipelined requests in order, and drops pending ones when the client disconnects', async () => {
  const started: string[] = [];
  let cancelled = 0;
  const slow = await listen({ port: 0, timers: systemClock });
  slow.serve((request) => {
    const path = new URL(request.url).pathname;
    started.push(path);
    if (path !== '/stream') return new Response(path);
    return new Response(new ReadableStream({ cancel: () => void (cancelled += 1) }));
  });
  const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const socket = connect(Number(new URL(slow.origin).port), '127.0.0.1', () =>
    socket.write(request('/one') + request('/two') + request('/stream') + request('/never')),
  );
  let received = '';
  socket.setEncoding('latin1').on('data', (data) => (received += data));
  await expect.poll(() => started).toEqual(['/one', '/two', '/stream']);
  expect(received.indexOf('/one')).toBeLessThan(received.indexOf('/two'));
  socket.destroy();
  await expect.poll(() => cancelled).toBe(1);
  await slow.close();
  expect(started).toEqual(['/one', '/two', '/stream']);
});

test('detects that the client has disconnected even if an upload is queued after a stream', async () => {
  let cancelled = 0;
  const slow = await listen({ port: 0, timers: systemClock });
  slow.serve(() => new Response(new ReadableStream({ cancel: () => void (cancelled += 1) })));
  const upload = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n${'x'.repeat(400_000)}`;
  const socket = connect(Number(new URL(slow.origin).port), '127.0.0.1', () =>
    socket.write(`GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n${upload}`),
  );
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.resetAndDestroy();
  await expect.poll(() => cancelled).toBe(1);
  await slow.close();
});

test.each(['gzip, chunked', 'identity, chunked'])('explains why not: %s', async (coding) => {
  const answer = await send(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`);
  expect([status(answer), answer]).toEqual([501, expect.stringContaining(coding)]);
});

test('sends the responses to earlier requests even if a later request is malformed', async () => {
  const held = gate();
  const busy = await listen({ port: 0, timers: systemClock });
  busy.serve(async (request) => {
    if (request.url.endsWith('/slow')) await held.opened;
    return new Response(`for ${new URL(request.url).pathname}.`);
  });
  const socket = connect(Number(new URL(busy.origin).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (data) => (answer += data));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  socket.write(`${get('/slow')}${get('/next')}no request\r\n\r\n`);
  setTimeout(held.open, 50);
  await closed;
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)).toEqual(['200', '200', '400']);
  expect(answer).toContain('for /slow.');
  expect(answer).toContain('for /next.');
  await busy.close();
});

test('closes the oldest idle connections if there are too many', async () => {
  const large = await listen({ port: 0, timers: systemClock, headKiB: 128 * 1024 });
  large.serve(() => new Response('ok'));
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(large.origin).port), '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const unfinished = await Promise.all(Array.from({ length: 4 }, open));
  const closed = new Promise((resolve) => unfinished[0]?.once('close', resolve));
  unfinished.forEach((socket) => socket.write('GET / HTTP/1.1\r\nX: '));
  expect(await (await fetch(large.origin)).text()).toBe('ok');
  await closed;
  expect(unfinished.map(({ closed: isClosed }) => isClosed)).toEqual([true, false, false, false]);
  unfinished.forEach((socket) => socket.destroy());
  await large.close();
});

test('sends a body that is in memory without turning it into a stream', async () => {
  const whole = createWholeResponse(new TextEncoder().encode('in memory'), {});
  const asStream = vi.spyOn(whole, 'body', 'get');
  const other = await listen({ port: 0, timers: systemClock });
  onTestFinished(() => other.close());
  other.serve(() => whole);
  const response = await fetch(other.origin);
  expect(await response.text()).toBe('in memory');
  expect(response.headers.get('content-length')).toBe('9');
  expect(asStream).not.toHaveBeenCalled();
});
