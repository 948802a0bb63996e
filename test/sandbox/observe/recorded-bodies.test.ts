import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptOutbound } from '../../../src/sandbox/index.js';
import { runBody, script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

let server: Server;
let origin: string;
/** Paths whose connection the script's side has closed. */
const closed = new Set<string>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '' } = request;
    response.once('close', () => closed.add(url));
    if (url === '/never') return;
    if (url === '/large') return void response.end('x'.repeat(1_000_000));
    if (url === '/too-large') return void response.end('x'.repeat(2_000_000));
    if (url.startsWith('/redirect')) {
      const location = `/text${url.slice('/redirect'.length)}`;
      return void response.writeHead(302, { location }).end();
    }
    response.write('hel');
    if (url === '/lost') return void setTimeout(() => response.destroy(), 50);
    if (url !== '/endless') response.end('lo');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function sent(body: string): Promise<ScriptOutbound> {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(
    script(
      `return (await runBody(body, { origin, context })) ?? new Response('')`,
      `${runBody} const origin = '${origin}';`,
    ),
  );
  await send(body, 'c7');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(outbound[0]?.callId).toBe('c7');
  return outbound[0] as ScriptOutbound;
}

const textOf = ({ exchange }: ScriptOutbound): string =>
  Buffer.from(exchange?.response?.body ?? '', 'base64').toString();

test('records a body of almost 1 MB completely', async () => {
  const request = await sent(`await (await fetch(origin + '/large')).text()`);
  expect(textOf(request)).toBe('x'.repeat(1_000_000));
  expect(request.exchange?.response).not.toHaveProperty('cut');
});

test.each([
  ['ignores', `await fetch(origin + '/text')`],
  ['cancels', `await (await fetch(origin + '/text')).body.cancel()`],
])('records a body that the script %s', async (_, body) => {
  const request = await sent(body);
  expect(request).toMatchObject({ status: 200, unread: true, responseBytes: 0 });
  expect(textOf(request)).toBe('hello');
  expect(request.exchange?.response).not.toHaveProperty('cut');
});

test('records that the script aborted a request in the middle of the response', async () => {
  const request = await sent(`
    const controller = new AbortController();
    const reader = (await fetch(origin + '/endless', { signal: controller.signal })).body.getReader();
    await reader.read();
    controller.abort(new Error('had enough'));
    await reader.read().catch(() => {});`);
  expect(request).toMatchObject({
    status: 200,
    aborted: true,
    error: 'had enough',
    exchange: { response: { cut: true } },
  });
  expect(textOf(request)).toBe('hel');
});

test('records that a connection was lost in the middle of the response', async () => {
  const request = await sent(`await (await fetch(origin + '/lost')).text().catch(() => {})`);
  expect(request).toMatchObject({
    status: 200,
    code: 'UND_ERR_SOCKET',
    error: 'terminated: other side closed',
    exchange: { response: { cut: true } },
  });
  expect(request).not.toHaveProperty('aborted');
});

test('records only the beginning of an ignored body that never ends', async () => {
  const request = await sent(`await fetch(origin + '/endless')`);
  expect(request).toMatchObject({ unread: true, exchange: { response: { cut: true } } });
  expect(textOf(request)).toBe('hel');
});

test('records the beginning of an ignored body that is too long', async () => {
  const request = await sent(`await fetch(origin + '/too-large')`);
  expect(request).toMatchObject({ unread: true, exchange: { response: { cut: true } } });
  expect(textOf(request)).toBe('x'.repeat((1024 + 16) * 1024));
});

test('closes the connection immediately if the script cancels a body after reading part of it', async () => {
  closed.clear();
  const request = await sent(`
    const reader = (await fetch(origin + '/endless')).body.getReader();
    await reader.read();
    await reader.cancel();`);
  await expect.poll(() => [...closed]).toEqual(['/endless']);
  expect(request).not.toHaveProperty('unread');
  expect(textOf(request)).toBe('hel');
  expect(request.exchange?.response).not.toHaveProperty('cut');
});

test('lets a script read an ignored body after its call has ended', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  await sandbox.load(
    script(
      `if (body === 'read') return new Response(await kept.text());
       kept = await fetch(origin + '/text');
       return new Response('')`,
      `let kept; const origin = '${origin}';`,
    ),
  );
  await send('fetch');
  await expect.poll(() => outbound).toHaveLength(1);
  expect(await send('read')).toEqual({ status: 200, text: 'hello' });
});

test('reports a request with an ignored body before the process ends', async () => {
  const { sandbox, send, outbound } = await startSandbox();
  const code = script(
    `await fetch(origin + '/endless'); return new Response()`,
    `const origin = '${origin}';`,
  );
  await sandbox.load(code);
  await send('');
  await sandbox.load(code);
  await expect.poll(() => outbound).toHaveLength(1);
});

test.each([
  ['with a timeout', `AbortSignal.timeout(50)`],
  ['with a reason of its own', `AbortSignal.abort(new RangeError('Not now'))`],
])('records that the script aborted a request %s', async (_, signal) => {
  const request = await sent(`await fetch(origin + '/never', { signal: ${signal} }).catch(() => {})`);
  expect(request).toMatchObject({ status: 0, aborted: true });
  expect(request).not.toHaveProperty('code');
});

test('records the final URL after redirects, without secrets', async () => {
  const request = await sent(`await (await fetch(origin + '/redirect?key=canary-secret')).text()`);
  expect(request).toMatchObject({ url: `${origin}/redirect?key=•••`, finalUrl: `${origin}/text?key=•••` });
});
