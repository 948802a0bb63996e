import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createWebhookReceiver, signPayload, type NodeRequest } from '../../src/webhooks/index.js';

const secret = 'whsec_1';
const body = '{"eventId":"é","type":"site_view","installationId":"i"}';
const handled: string[] = [];
const receiver = createWebhookReceiver({
  secret,
  await: true,
  toleranceSeconds: 1e11,
  seen: { add: () => true, delete: () => true },
  onEvent: ({ eventId }) => handled.push(eventId),
});

let server: Server;
afterEach(() => {
  handled.length = 0;
  server.close();
});

async function send(
  listener: RequestListener,
  headers: Record<string, string | string[]>,
  method = 'POST',
  content = body,
) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const outgoing = httpRequest({ port, host: '127.0.0.1', method, headers }, (response) => {
      text(response).then((answer) => resolve([response.statusCode, answer]), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' ? content : undefined);
  });
}
const signed = async () => ({ 'x-platform-signature': await signPayload(body, secret, { timestamp: 1 }) });
const received = [200, '{"received":true}'];

test('accepts a signed event', async () => {
  expect(await send(receiver.node, await signed())).toEqual(received);
  expect(handled).toEqual(['é']);
});

test('rejects a method other than POST', async () => {
  expect(await send(receiver.node, {}, 'GET')).toEqual([405, 'Method not allowed']);
});

test('rejects a method that a Request cannot have', async () => {
  expect(await send(receiver.node, {}, 'TRACE')).toEqual([405, 'Method not allowed']);
});

test('rejects an event without a signature', async () => {
  expect(await send(receiver.node, {})).toEqual([401, '{"error":"Invalid signature (missing)"}']);
});

test('rejects a body that is too large', async () => {
  expect(await send(receiver.node, {}, 'POST', 'x'.repeat(2 * 1024 * 1024))).toEqual([
    413,
    '{"error":"The body is too large for an event."}',
  ]);
});

test('rejects a signature with bytes that are not ASCII', async () => {
  expect((await send(receiver.node, { 'x-platform-signature': 't=1,v1=\u00ff' }))[0]).toBe(401);
});

const behind =
  (parse: (raw: string) => unknown): RequestListener =>
  (incoming, response) => {
    const request: NodeRequest = incoming;
    text(incoming)
      .then((raw) => {
        request.body = parse(raw);
        receiver.node(request, response);
      })
      .catch(() => response.destroy());
  };

test.each([
  ['if the parser keeps the bytes', (raw: string) => Buffer.from(raw)],
  ['if the parser keeps the text', (raw: string) => raw],
])('accepts an event after a body parser %s', async (_, parse) => {
  expect(await send(behind(parse), await signed())).toEqual(received);
});

test('reports an error if the parser has already consumed the body', async () => {
  const [status, answer] = await send(behind(JSON.parse), await signed());
  expect(status).toBe(500);
  expect(answer).toContain('before express.json()');
  expect(handled).toEqual([]);
});
