import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScope, runInScope } from '../../../src/sandbox/observe/call-scope.js';
import { createRecordingFetch } from '../../../src/sandbox/observe/recording-fetch.js';
import { freePort } from '../../support/free-port.js';
import { runBody, script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

let server: Server;
let origin: string;
/** Path and call of each request. */
let named: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    named.push(`${request.url} ${String(request.headers['x-platform-call'])}`);
    if (request.url === '/reset') return void request.socket.destroy();
    if (request.url === '/gzip') {
      const body = gzipSync('hello '.repeat(100));
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length, 'x-a': '1' });
      return void response.end(body);
    }
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/text' }).end();
    request.resume().on('end', () => {
      response.writeHead(request.url === '/missing' ? 404 : 201, { 'x-a': '1' });
      response.write('hel');
      response.end('lo');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

const fetching = (): { code: string } =>
  script(
    `return (await runBody(body, { origin, context })) ?? new Response('')`,
    `${runBody} const origin = '${origin}';`,
  );

test.each([
  [
    'a response that is read',
    `await (await fetch(origin + '/text?a=1', { method: 'post', body: 'ab€' })).text()`,
    { method: 'POST', path: '/text?a=1', status: 201, requestBytes: 5, responseBytes: 5 },
  ],
  [
    'a request object',
    `await (await fetch(new Request(origin + '/missing', { method: 'DELETE' }))).arrayBuffer()`,
    { method: 'DELETE', path: '/missing', status: 404, requestBytes: 0, responseBytes: 5 },
  ],
  [
    'a response that is never read',
    `await fetch(new URL('/text', origin), { method: 'PUT', body: new URLSearchParams({ a: 'b c' }) })`,
    { method: 'PUT', path: '/text', status: 201, requestBytes: 5, responseBytes: 0 },
  ],
  [
    'an encoded response',
    `await (await fetch(origin + '/gzip')).text()`,
    { method: 'GET', path: '/gzip', status: 200, requestBytes: 0, responseBytes: 600 },
  ],
])('records the outbound request for %s', async (_, body, { path, ...expected }) => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(body, 'c7');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]).toMatchObject({ callId: 'c7', url: origin + path, ...expected });
  expect(outbound[0]?.durationMs).toBeGreaterThanOrEqual(0);
});

const text = (base64 = ''): string => Buffer.from(base64, 'base64').toString();

test.each<[what: string, body: string, sent: string, contentType: string | undefined]>([
  ['text', `{ body: 'ab€' }`, 'ab€', 'text/plain;charset=UTF-8'],
  [
    'a form',
    `{ body: new URLSearchParams({ a: 'b c' }) }`,
    'a=b+c',
    'application/x-www-form-urlencoded;charset=UTF-8',
  ],
  [
    'bytes',
    `{ body: new TextEncoder().encode('xyz').subarray(1), headers: { 'content-type': 'a/b' } }`,
    'yz',
    'a/b',
  ],
  ['a blob', `{ body: new Blob(['blob'], { type: 'image/x' }) }`, 'blob', 'image/x'],
  ['a stream', `{ body: new Blob(['streamed']).stream(), duplex: 'half' }`, 'streamed', undefined],
])('records an outbound request with %s, its headers and response', async (_, init, sent, type) => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(`await (await fetch(origin + '/text', { method: 'POST', ...${init} })).text()`, 'c7');
  await expect.poll(() => outbound).toHaveLength(1);
  const { exchange, requestBytes } = outbound[0] ?? {};
  expect(text(exchange?.request.body)).toBe(sent);
  expect(requestBytes).toBe(Buffer.byteLength(sent));
  expect(exchange?.request.headers.find(([name]) => name === 'content-type')?.[1]).toBe(type);
  expect(exchange?.response?.headers).toContainEqual(['x-a', '1']);
  expect(text(exchange?.response?.body)).toBe('hello');
});

test('records the bodies of a form with files and of a Request object', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(`
    const form = new FormData();
    form.set('file', new Blob(['in a file']), 'a.txt');
    await fetch(origin + '/text', { method: 'POST', body: form });
    await fetch(new Request(origin + '/text', { method: 'POST', body: 'in a request', headers: { 'x-b': '2' } }));
  `);
  await expect.poll(() => outbound).toHaveLength(2);
  const [form, request] = outbound.map(({ exchange }) => exchange?.request);
  expect(text(form?.body)).toContain('filename="a.txt"');
  expect(text(form?.body)).toContain('in a file');
  expect(text(request?.body)).toBe('in a request');
  expect(request?.headers).toContainEqual(['x-b', '2']);
  expect(outbound[0]).toMatchObject({ unread: true, responseBytes: 0 });
});

test('numbers requests in the order in which they started, whichever one ends first', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(`
    let release;
    const released = new Promise((resolve) => (release = resolve));
    const slow = new ReadableStream({ pull: (controller) => released.then(() => controller.close()) });
    const held = fetch(origin + '/text?first', { method: 'POST', duplex: 'half', body: slow });
    await (await fetch(origin + '/text?second')).text();
    await (await fetch(origin + '/text?third')).text();
    release();
    await (await held).text();
  `);
  await expect.poll(() => outbound).toHaveLength(3);
  const order = outbound.map(({ url, number }) => `${number} ${new URL(url).search.slice(1)}`);
  expect(order).toEqual(['1 second', '2 third', '0 first']);
  await send(`await (await fetch(origin + '/text')).text()`);
  await expect.poll(() => outbound.at(3)?.number).toBe(0);
});

test('records the beginning of long bodies unless recording is turned off', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(
    `for (let n = 0; n < 10; n += 1)
      await (await fetch(origin + '/text', { method: 'POST', body: 'x'.repeat(1_200_000) })).text();`,
  );
  await expect.poll(() => outbound).toHaveLength(10);
  const lengths = outbound.map(({ exchange }) => text(exchange?.request.body).length);
  expect(lengths[0]).toBe((1024 + 16) * 1024);
  // What came back is a part of it.
  expect(lengths.reduce((sum, length) => sum + length, 7 * 5)).toBe(8 * 1024 * 1024);
  expect(outbound.at(-1)?.requestBytes).toBe(1_200_000);
  expect(outbound.at(-1)?.exchange).toMatchObject({
    request: { headers: [['content-type', 'text/plain;charset=UTF-8']], cut: true },
    response: { cut: true },
  });

  const off = await startSandbox({ outbound: { reroutes: [], details: false } });
  await off.sandbox.load(fetching());
  await off.send(`await (await fetch(origin + '/text', { method: 'POST', body: 'ab' })).text()`);
  await expect.poll(() => off.outbound).toHaveLength(1);
  expect(off.outbound[0]).toMatchObject({ requestBytes: 2, responseBytes: 5 });
  expect(off.outbound[0]).not.toHaveProperty('exchange');
});

test('records why a connection failed', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  const port = await freePort();
  await send(`await fetch('http://localhost:${port}/').catch(() => {})`);
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]?.error).toMatch(/^fetch failed: connect ECONNREFUSED \S+$/);
  expect(outbound[0]).toMatchObject({ code: 'ECONNREFUSED' });
  expect(outbound[0]).not.toHaveProperty('aborted');
  expect(outbound[0]?.exchange).toEqual({ request: { headers: [] } });
});

test('records why a request failed, and throws the error in the script', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  const { text } = await send(
    `return new Response(await fetch(origin + '/reset').catch((e) => e.message))`,
    'c7',
  );
  expect(text).toBe('fetch failed');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]).toMatchObject({
    callId: 'c7',
    status: 0,
    error: 'fetch failed: other side closed',
    code: 'UND_ERR_SOCKET',
  });
});

test('returns the same response as a fetch that is not recorded', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(fetching());
  const { text } = await send(`
    const a = await fetch(origin + '/redirect');
    const b = a.clone();
    let readOnly = false;
    try { a.headers.set('x-a', '2') } catch { readOnly = true }
    return Response.json([
      a instanceof Response, a.url, a.redirected, a.status, a.ok, a.headers.get('x-a'), readOnly, b.url,
      await a.text(), await b.text(), a.bodyUsed,
    ]);`);
  expect(JSON.parse(text)).toEqual([
    true,
    `${origin}/text`,
    true,
    201,
    true,
    '1',
    true,
    `${origin}/text`,
    'hello',
    'hello',
    true,
  ]);
});

test.each([
  ['passed through', `return fetch(origin + '/gzip')`],
  ['copied using its body', `const r = await fetch(origin + '/gzip'); return new Response(r.body, r)`],
  ['copied by its text', `const r = await fetch(origin + '/gzip'); return new Response(await r.text(), r)`],
])('returns a readable response if an encoded one is %s', async (_, body) => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(fetching());
  expect(await send(body)).toEqual({ status: 200, text: 'hello '.repeat(100) });
});

test('masks secrets in the URLs of outbound requests', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(`await fetch(origin + '/text?key=canary-secret')`);
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]?.url).toBe(`${origin}/text?key=•••`);
});

test('records an outbound request from work passed to waitUntil', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(
    script(
      `context.waitUntil(new Promise((r) => setTimeout(r, 50)).then(() => fetch(origin)).then((r) => r.text()));
       return new Response('')`,
      `const origin = '${origin}';`,
    ),
  );
  await send('', 'c7');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]).toMatchObject({ callId: 'c7', status: 201, responseBytes: 5 });
});

test('warns about a request that continues after the response without waitUntil', async () => {
  const { send, logged, logs } = await startSandbox().then(async (started) => {
    await started.sandbox.load(fetching());
    return started;
  });
  await send(
    `context.waitUntil(fetch(origin + '/waited').then((r) => r.text())); return new Response()`,
    'waits',
  );
  await send(
    `void fetch(origin + '/pending'); void fetch(origin + '/again'); return new Response()`,
    'pending',
  );
  await logged(`${origin}/pending continued after the response without waitUntil()`);
  await send(`setTimeout(() => fetch(origin + '/late'), 20); return new Response('')`, 'late');
  await logged(`${origin}/late continued after the response without waitUntil()`);
  expect(logs.map(({ callId, level }) => [callId, level])).toEqual([
    ['pending', 'warn'],
    ['late', 'warn'],
  ]);
});

test("reports each promise passed to waitUntil, and sends the call's id with API requests", async () => {
  named = [];
  const { sandbox, send, background, outbound } = await startSandbox({
    outbound: { reroutes: [], details: true, own: `${origin}/text` },
  });
  await sandbox.load(fetching());
  await send(
    `context.waitUntil((async () => { await fetch(origin + '/text'); await fetch(origin + '/echo') })());
     context.waitUntil(Promise.reject(new Error('locked')));`,
    'c9',
  );
  await expect.poll(() => background).toHaveLength(4);
  await expect.poll(() => outbound).toHaveLength(2);
  expect(background.filter(({ durationMs }) => durationMs === undefined).map(({ number }) => number)).toEqual(
    [0, 1],
  );
  const ended = background.filter(({ durationMs }) => durationMs !== undefined);
  expect(ended).toMatchObject([
    { callId: 'c9', number: 1, error: 'locked' },
    { callId: 'c9', number: 0 },
  ]);
  expect(named).toEqual(['/text c9', '/echo undefined']);
});

test('ignores empty chunks in a response body', async () => {
  const chunks = ['', 'one', '', 'two'].map((chunk) => new TextEncoder().encode(chunk));
  const fetch = createRecordingFetch({
    fetch: async () => new Response(ReadableStream.from(chunks) as BodyInit),
    record: () => {},
    now: Date.now,
    details: () => true,
  });
  const response = await runInScope(createScope('call'), () => fetch('http://outside.example/'));
  expect(await response.text()).toBe('onetwo');
});
