import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepBodiesWhole } from '../../../src/sandbox/child/keep-bodies-whole.js';
import { WholeRequest } from '../../../src/sandbox/child/whole-request.js';
import { wholeBody } from '../../../src/sandbox/whole-response.js';

const native = { Request, Response, fetch };
const restore = (): void => void Object.assign(globalThis, native);
beforeAll(keepBodiesWhole);
afterAll(restore);

const text = '{"a":"ä"}';
const bytes = new TextEncoder().encode(text);
const url = 'http://localhost/x';
const post = (body: BodyInit, init: RequestInit = {}): Request =>
  new Request(url, { method: 'POST', body, ...init });

type Make = () => Request | Response;
const makers: [what: string, make: Make, plain: Make][] = [
  ['a request', () => post(bytes), () => new native.Request(url, { method: 'POST', body: bytes })],
  ['a response of bytes', () => new Response(bytes), () => new native.Response(bytes)],
  ['a response of text', () => new Response(text), () => new native.Response(text)],
  [
    'a response of a buffer',
    () => new Response(bytes.slice().buffer),
    () => new native.Response(bytes.slice().buffer),
  ],
  ['a response of JSON', () => Response.json({ a: 'ä' }), () => native.Response.json({ a: 'ä' })],
];

const isWhole = (message: Request | Response): boolean =>
  message instanceof WholeRequest || wholeBody(message as Response) !== undefined;

const ways: [way: string, use: (message: Request | Response) => unknown][] = [
  ['text', (message) => message.text()],
  ['json', (message) => message.json()],
  ['arrayBuffer', async (message) => [...new Uint8Array(await message.arrayBuffer())]],
  ['bytes', async (message) => [...(await new Response(await message.bytes()).bytes())]],
  ['blob', async (message) => (await message.blob()).text()],
  ['type of the blob', async (message) => (await message.blob()).type],
  ['headers', (message) => [...message.headers]],
  ['body', (message) => new Response(message.body).text()],
  ['body twice', (message) => message.body === message.body],
  ['used before', (message) => message.bodyUsed],
  ['used after', async (message) => [await message.text(), message.bodyUsed, message.body?.locked]],
  ['used after its stream', async (message) => [await message.body?.cancel(), message.bodyUsed]],
  ['read twice', async (message) => [await message.text(), await message.json()]],
  ['taken twice', async (message) => [await message.arrayBuffer(), await message.arrayBuffer()]],
  ['read after its stream', async (message) => [await message.body?.cancel(), await message.text()]],
  ['read while its stream is', (message) => [message.body?.getReader(), message.arrayBuffer()][1]],
  ['clone', async (message) => [await message.clone().text(), await message.text()]],
  ['clone of a clone', async (message) => [await message.clone().clone().text(), message.bodyUsed]],
  [
    'clone of one with a stream',
    async (message) => [message.body !== null, await message.clone().text(), await message.text()],
  ],
  ['clone after', async (message) => [await message.text(), message.clone()]],
  [
    'header set later, cloned',
    async (message) => {
      message.headers.set('content-type', 'text/x-late');
      return [...message.clone().headers, (await message.blob()).type];
    },
  ],
  [
    'class',
    (message) => [
      message instanceof Request,
      message instanceof Response,
      Object.prototype.toString.call(message),
    ],
  ],
  ['form', async (message) => (await message.formData()).get('a')],
];

/** What comes of it, errors included. */
async function outcome(use: () => unknown): Promise<unknown> {
  try {
    return await use();
  } catch (error) {
    return (error as Error).name;
  }
}

describe.each(makers)('%s', (_, make, plain) => {
  test.each(ways)('%s: as of one that Node makes', async (_way, use) => {
    expect(isWhole(make())).toBe(true);
    expect(isWhole(plain())).toBe(false);
    expect(await outcome(() => use(make()))).toEqual(await outcome(() => use(plain())));
  });
});

const making: [what: string, make: (Web: typeof native) => unknown][] = [
  ['GET with a body', (Web) => new Web.Request(url, { method: 'GET', body: bytes })],
  ['no method and a body', (Web) => new Web.Request(url, { body: bytes })],
  ['TRACE with a body', (Web) => new Web.Request(url, { method: 'TRACE', body: bytes })],
  ['no address', (Web) => new Web.Request('nowhere', { method: 'POST', body: bytes })],
  ['a small method', (Web) => new Web.Request(url, { method: 'post', body: bytes }).method],
  ['a status without a body', (Web) => new Web.Response('x', { status: 204 })],
  ['a status without JSON', (Web) => Web.Response.json({}, { status: 205 })],
  ['a status that is none', (Web) => new Web.Response('x', { status: 99 })],
  ['nothing for JSON', (Web) => Web.Response.json(undefined)],
  ['a type of its own', (Web) => [...new Web.Response('x', { headers: { 'Content-Type': 'a/b' } }).headers]],
  [
    'JSON with a type of its own',
    (Web) => [...Web.Response.json(1, { headers: { 'content-type': 'a/b' } }).headers],
  ],
  ['JSON with a status', (Web) => Web.Response.json(1, { status: 418, statusText: 'Teapot' }).statusText],
  ['null', (Web) => new Web.Response(null).body],
  ['an error', (Web) => Web.Response.error().type],
  ['a mark at its beginning', (Web) => new Web.Response(new Uint8Array([0xef, 0xbb, 0xbf, 97])).text()],
  [
    'bytes that change later',
    (Web) => {
      const own = new Uint8Array([97, 98]);
      const response = new Web.Response(own);
      own[0] = 120;
      return response.text();
    },
  ],
  ['text that is large', async (Web) => (await new Web.Response('x'.repeat(300_000)).text()).length],
  ['a part of a buffer', (Web) => new Web.Response(Buffer.from('abcdef').subarray(2, 4)).text()],
  [
    'a class of its own',
    async (Web) => {
      class Own extends Web.Response {}
      const own = new Own('x');
      return [own instanceof Own, own instanceof Web.Response, await own.text()];
    },
  ],
];

test.each(making)('%s: made as Node makes it', async (_, make) => {
  const kept = await outcome(() => make({ Request, Response, fetch }));
  expect(kept).toEqual(await outcome(() => make(native)));
});

const passing: [what: string, pass: (request: Request, Web: typeof native) => unknown][] = [
  ['as it is', (request, Web) => new Web.Request(request).text()],
  [
    'with another body',
    async (request, Web) => {
      const other = new Web.Request(request, { method: 'PUT', body: 'other' });
      return [await other.text(), await request.text()];
    },
  ],
  [
    'with another body when it was read',
    async (request, Web) => {
      await request.text();
      return new Web.Request(request, { body: 'other' }).text();
    },
  ],
  [
    'with other headers',
    async (request, Web) => {
      const next = new Web.Request(request, { headers: { 'x-a': '1' } });
      return [next.method, [...next.headers], await next.text()];
    },
  ],
  [
    'with a header set later',
    (request, Web) => {
      request.headers.set('x-late', '1');
      return [...new Web.Request(request).headers];
    },
  ],
  [
    'and used up',
    async (request, Web) => {
      await new Web.Request(request).text();
      return [request.bodyUsed, await request.text()];
    },
  ],
  ['when it was read', async (request, Web) => [await request.text(), new Web.Request(request)]],
  ['as GET', (request, Web) => new Web.Request(request, { method: 'GET' })],
];

test.each(passing)('a request made of another, %s', async (_, pass) => {
  const init = { method: 'POST', body: bytes, headers: { 'content-type': 'application/json' } };
  const kept = await outcome(() => pass(new Request(url, init), { Request, Response, fetch }));
  expect(kept).toEqual(await outcome(() => pass(new native.Request(url, init), native)));
});

test('fetch sends its body', async () => {
  const server = createServer((incoming, outgoing) => incoming.pipe(outgoing)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const request = new Request(address, { method: 'POST', body: bytes });
  expect(await (await fetch(request)).text()).toBe(text);
  expect(request.bodyUsed).toBe(true);
  server.close();
});
