import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';

async function startServer(listener: RequestListener) {
  let connections = 0;
  const server = createServer(listener).on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, connections: () => connections };
}

const post = (url: string, signal = new AbortController().signal) =>
  webhookFetch(url, {
    method: 'POST',
    headers: { 'X-One': '1' },
    body: new TextEncoder().encode('é'),
    redirect: 'manual',
    signal,
  });

const textOf = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

it('sends the given headers, and the body with its length', async () => {
  const { url } = await startServer(({ method, headers }, response) => {
    response.end(JSON.stringify({ method, headers }));
  });
  expect(JSON.parse(await textOf((await post(url)).body))).toEqual({
    method: 'POST',
    headers: { 'x-one': '1', 'content-length': '2', connection: 'keep-alive', host: url.slice(7) },
  });
});

it.each([301, 307, 401, 407, 421, 429, 500, 599])(
  'sends one request if the response is %i',
  async (status) => {
    let requests = 0;
    const { url } = await startServer((request, response) => {
      requests += 1;
      response.writeHead(status, { Location: '/other', 'WWW-Authenticate': 'Basic' }).end('said');
    });
    const answer = await post(url);
    expect([answer.status, await textOf(answer.body), requests]).toEqual([status, 'said', 1]);
  },
);

it('keeps a connection open briefly for the next request', async () => {
  const { url, connections } = await startServer(
    (request, response) => void request.resume().on('end', () => response.end()),
  );
  for (let n = 0; n < 5; n += 1) await textOf((await post(url)).body);
  expect(connections()).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await textOf((await post(url)).body);
  expect(connections()).toBe(2);
});

it('keeps waiting for a response longer than the idle timeout of a connection', async () => {
  const { url } = await startServer((request, response) => {
    setTimeout(() => response.write('slow'), 1300);
    setTimeout(() => response.end('er'), 2600);
  });
  expect(await textOf((await post(url)).body)).toBe('slower');
});

it('closes the connection if a response is not read completely', async () => {
  let sent = 0;
  let closed = false;
  const { url } = await startServer((request, response) => {
    const more = (): void => {
      if (!response.destroyed && response.write(Buffer.alloc(16 * 1024), () => (sent += 16))) more();
    };
    response.on('drain', more).on('close', () => (closed = true));
    more();
  });
  const { body } = await post(url);
  const reader = body?.[Symbol.asyncIterator]();
  await reader?.next();
  await reader?.return?.();
  await expect.poll(() => closed).toBe(true);
  expect(sent).toBeLessThan(16 * 1024);
});

it('aborts the request when its signal aborts, both before the headers and during the response', async () => {
  const { url } = await startServer(({ url: path }, response) => {
    if (path === '/half') response.writeHead(200, { 'Content-Length': '10' }).write('ha');
  });
  const stop = new AbortController();
  const silent = post(url, stop.signal);
  const { body } = await post(`${url}/half`, stop.signal);
  const half = textOf(body);
  stop.abort();
  await expect(silent).rejects.toThrow();
  await expect(half).rejects.toThrow();
});
