import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveEmulator, type LiveEmulator } from '../support/live-emulator.js';
import { integration } from '../emulator/emulator-under-test.js';

let live: LiveEmulator;
let endpoint: string;
beforeAll(async () => {
  const source = `export default { async fetch(request) {
    const form = await request.formData();
    const { request: { url } } = JSON.parse(await new Response(form.get('event')).text());
    const { pathname } = new URL(url);
    if (pathname.endsWith('/stream')) return new Response(new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\\n\\n')),
    }), { headers: { 'content-type': 'text/event-stream' } });
    return new Response('fine', { headers: {
      Trailer: 'X-Late', Connection: 'keep-alive', 'Transfer-Encoding': 'chunked', 'Content-Length': '2',
    } });
  } };`;
  live = await startLiveEmulator(source, { integration });
  endpoint = `${live.origin}/v1/integrations/sample`;
  // The first call of each kind is slower.
  await (await fetch(endpoint)).text();
});
afterAll(() => live.close());

/** The port is not known yet; it is put in where this is sent. */
const head = 'HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n';
/** What 95% of them stay below: the machine may pause for reasons of its own. */
const most = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Infinity;

const path = '/v1/integrations/sample';

/** What slow and half-open clients send, and a piece that they send each second after that. */
const clients: Record<string, [first: string, each?: string]> = {
  'send nothing': [''],
  'stop in the head': [`GET / ${head}X-A: `],
  'send a head byte by byte': [`GET / ${head}X-A: `, 'x'],
  'stop in the body': [`POST ${path} ${head}Content-Length: 1000\r\n\r\nx`],
  'send a body byte by byte': [`POST ${path} ${head}Content-Length: 1000\r\n\r\nx`, 'x'],
  'send a chunk without its end': [`POST ${path} ${head}Transfer-Encoding: chunked\r\n\r\nff\r\nx`, 'x'],
  'GET with a body that stops': [`GET ${path} ${head}Content-Length: 1000\r\n\r\nx`],
  'are refused and stay': [`GET / HTTP/1.1\r\n\r\n`],
  'send garbage and stay': ['\x16\x03\x01\0\0\r\n\r\n'],
  'CONNECT and stay': [`CONNECT evil.example:80 ${head}\r\n`],
};

test('1,000 slow or half-open connections are freed, and others are served', async () => {
  const port = Number(new URL(live.origin).port);
  const kinds = Object.entries(clients);
  const open = new Map<Socket, string>();
  const start = performance.now();
  for (let n = 0; n < 1000; n += 1) {
    const [what, [first, each]] = kinds[n % kinds.length] ?? ['', ['']];
    // It never closes its own side.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const more = each && setInterval(() => socket.write(each), 1000);
    open.set(socket, what);
    socket
      .on('error', () => {})
      .on('close', () => {
        if (more) clearInterval(more);
        open.delete(socket);
      });
    if (first) socket.write(first.replace('PORT', String(port)), 'latin1');
    socket.resume();
    // Our side is told that theirs is closed for good, and not only their half of it, when it writes.
    socket.on('end', () => {
      const probe = setInterval(() => (socket.destroyed ? clearInterval(probe) : socket.write('x')), 1500);
    });
  }
  // Accepting them all takes a moment, in this process on both sides.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const times: number[] = [];
  while (open.size > 0 && performance.now() - start < 20_000) {
    const sent = performance.now();
    expect(await (await fetch(endpoint)).text()).toBe('fine');
    times.push(performance.now() - sent);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const left = [...new Set(open.values())];
  for (const socket of open.keys()) socket.destroy();
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `connections: ${1000 - open.size} of 1000 slow or half-open ones freed after ${seconds.toFixed(1)} s, 19 of 20 others served within ${Math.round(most(times))} ms`,
  );
  expect(left).toEqual([]);
  expect(seconds).toBeLessThan(17);
  expect(most(times)).toBeLessThan(200);
});

/** The heads of responses whose bodies stay open. */
async function openStreams(
  url: string,
  count: number,
  init: RequestInit = {},
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const over = new AbortController();
  streams.push(over);
  for (let n = 0; n < count; n += 1) {
    // The limit counts those that have been streaming for more than a second.
    if (n === 128) await new Promise((resolve) => setTimeout(resolve, 1100));
    const response = await fetch(url, { ...init, signal: over.signal });
    counts[response.status] = (counts[response.status] ?? 0) + 1;
    if (response.status === 200) open.push(response);
    else await response.body?.cancel();
  }
  return counts;
}
const streams: AbortController[] = [];
/** What nothing refers to is collected, and its connection closed. */
const open: Response[] = [];

test('only so many responses stream for long, and only so many readers follow the platform', async () => {
  const responses = await openStreams(`${endpoint}/stream`, 200);
  const readers = await openStreams(`${live.consoleOrigin}/console/api/stream`, 500, {
    headers: { 'X-Platform-Token': 'control' },
  });
  const times: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    const sent = performance.now();
    expect(await (await fetch(endpoint)).text()).toBe('fine');
    times.push(performance.now() - sent);
  }
  const refused = await (await fetch(`${endpoint}/stream`)).json();
  for (const over of streams) over.abort();
  await expect
    .poll(async () => {
      const over = new AbortController();
      const { status } = await fetch(`${endpoint}/stream`, { signal: over.signal });
      over.abort();
      return status;
    })
    .toBe(200);
  expect(open).toHaveLength(192);
  console.log(
    `streams: ${responses[200]} of 200 responses and ${readers[200]} of 500 readers at once, the others 503, 19 of 20 plain calls within ${Math.round(most(times))} ms`,
  );
  expect(responses).toEqual({ 200: 128, 503: 72 });
  expect(readers).toEqual({ 200: 64, 503: 436 });
  expect(refused).toEqual({
    error:
      '128 responses of the script have been streaming for more than a second. Close some of them, and try again.',
  });
  expect(most(times)).toBeLessThan(200);
});

/** What comes back on a bare socket until it is closed. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const { port } = new URL(live.origin);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text.replace('PORT', port)));
    socket.setEncoding('latin1').on('data', (data: string) => (answer += data));
    socket.on('error', () => {}).on('close', () => resolve(answer.toLowerCase()));
  });

test('a response has one length and no trailers; TRACE, CONNECT and large heads are refused', async () => {
  const plain = await raw(`GET ${path} ${head}Connection: close\r\n\r\n`);
  expect(plain.match(/^(content-length|transfer-encoding|trailer|connection):.*$/gm)).toEqual([
    'content-length: 4',
    'connection: close',
  ]);
  const status = async (text: string): Promise<string> => (await raw(text)).slice(9, 12);
  const statuses = {
    TRACE: await status(`TRACE /v1 ${head}Connection: close\r\n\r\n`),
    'TRACE of an endpoint': await status(`TRACE ${path} ${head}Connection: close\r\n\r\n`),
    CONNECT: await status(`CONNECT localhost:80 ${head}\r\n`),
    'a header of 20 KB': await status(`GET / ${head}X-A: ${'x'.repeat(20_000)}\r\n\r\n`),
    'two lengths': await status(`POST ${path} ${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    'length and chunks': await status(
      `POST ${path} ${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ),
  };
  console.log('heads:', JSON.stringify(statuses));
  expect(Object.values(statuses)).toEqual(['405', '405', '405', '431', '400', '400']);
});
