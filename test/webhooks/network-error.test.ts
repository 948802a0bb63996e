import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/base/clock.js';
import { createDeadlines } from '../../src/base/deadlines.js';
import { explainNetworkError } from '../../src/webhooks/send/send-request.js';
import { sendRequest, type WebhookFetch } from '../../src/webhooks/send/send-request.js';

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(onData: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).on('data', () => onData(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function errorOf(url: string, send: WebhookFetch, limitMs = 10_000): Promise<string> {
  const result = await sendRequest(
    { url, body: new Uint8Array([123, 125]), headers: { 'X-Platform-Signature': 't=1,v1=0' } },
    { fetch: send, timeouts: createDeadlines(systemClock, limitMs) },
  );
  return result.kind === 'error' ? result.error : result.kind;
}

const answers: [error: string, what: string, answer: (socket: Socket) => unknown][] = [
  ['reset', 'a reset before any response', (socket: Socket) => socket.resetAndDestroy()],
  ['reset', 'a connection closed before any response', (socket: Socket) => socket.end()],
  ['timeout', 'a server that never responds', () => undefined],
  ['timeout', 'only a 1xx response', (socket: Socket) => socket.write('HTTP/1.1 103 Hints\r\n\r\n')],
  ['network', 'data that is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
  [
    'cut-short',
    'an incomplete chunked response',
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'),
  ],
];

describe.each<[string, WebhookFetch]>([
  ["Node's fetch", fetch],
  ["the platform's client", webhookFetch],
])('sending requests with %s', (_, send) => {
  it('classifies a refused connection', async () => {
    const port = await listen(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await errorOf(`http://127.0.0.1:${port}/`, send)).toBe('refused');
    expect(await errorOf(`http://localhost:${port}/`, send)).toBe('refused');
  });

  it('classifies an unknown host', async () => {
    expect(await errorOf('http://nothing.invalid/', send)).toBe('dns');
  });

  it('classifies a failed TLS handshake', async () => {
    const port = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await errorOf(`https://127.0.0.1:${port}/`, send)).toBe('tls');
  });

  it.each(answers)('reports "%s" for %s', async (error, _what, answer) => {
    const port = await listen(answer);
    const limitMs = error === 'timeout' ? 300 : undefined;
    expect(await errorOf(`http://127.0.0.1:${port}/`, send, limitMs)).toBe(error);
  });
});

it.each([
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['EAI_AGAIN', 'dns'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['EHOSTUNREACH', 'network'],
])('classifies the error %s as "%s"', (code, error) => {
  const cause = Object.assign(new Error('the reason'), { code });
  expect(explainNetworkError(new TypeError('fetch failed', { cause }))).toEqual({
    error,
    message: 'the reason',
  });
});
