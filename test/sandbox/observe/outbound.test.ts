import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBody, script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
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

/** The script does to `origin` what the body says. */
const fetching = (): { code: string } =>
  script(
    `return (await runBody(body, { origin, context })) ?? new Response('')`,
    `${runBody} const origin = '${origin}';`,
  );

test.each([
  [
    'an answer that is read',
    `await (await fetch(origin + '/text?a=1', { method: 'post', body: 'ab€' })).text()`,
    { method: 'POST', path: '/text?a=1', status: 201, requestBytes: 5, responseBytes: 5 },
  ],
  [
    'a request object',
    `await (await fetch(new Request(origin + '/missing', { method: 'DELETE' }))).arrayBuffer()`,
    { method: 'DELETE', path: '/missing', status: 404, requestBytes: 0, responseBytes: 5 },
  ],
  [
    'an answer that nobody reads',
    `await fetch(new URL('/text', origin), { method: 'PUT', body: new URLSearchParams({ a: 'b c' }) })`,
    { method: 'PUT', path: '/text', status: 201, requestBytes: 5, responseBytes: 0 },
  ],
  [
    'an encoded answer',
    `await (await fetch(origin + '/gzip')).text()`,
    { method: 'GET', path: '/gzip', status: 200, requestBytes: 0, responseBytes: 600 },
  ],
])('%s is recorded', async (_, body, { path, ...expected }) => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(body, 'c7');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]).toMatchObject({ callId: 'c7', url: origin + path, ...expected });
  expect(outbound[0]?.durationMs).toBeGreaterThanOrEqual(0);
});

test('a failure is recorded with its reason, and thrown', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  const { text } = await send(
    `return new Response(await fetch(origin + '/reset').catch((e) => e.message))`,
    'c7',
  );
  expect(text).toBe('fetch failed');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]).toMatchObject({ callId: 'c7', status: 0, error: 'fetch failed: other side closed' });
});

test('the answer is as it would be without the recorder', async () => {
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
  ['handed on', `return fetch(origin + '/gzip')`],
  ['made new from it', `const r = await fetch(origin + '/gzip'); return new Response(r.body, r)`],
  [
    'made new from its text',
    `const r = await fetch(origin + '/gzip'); return new Response(await r.text(), r)`,
  ],
])('an encoded answer %s stays readable', async (_, body) => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(fetching());
  expect(await send(body)).toEqual({ status: 200, text: 'hello '.repeat(100) });
});

test('secrets are hidden in addresses', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(fetching());
  await send(`await fetch(origin + '/text?key=canary-secret')`);
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]?.url).toBe(`${origin}/text?key=•••`);
});

test('a call of waitUntil work is recorded', async () => {
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
