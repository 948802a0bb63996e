import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { innermostMessage } from '../../../src/base/text/innermost-error.js';

test('explains that the port in an https URL does not use TLS', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const error: unknown = await fetch(`https://127.0.0.1:${port}/`).catch((reason: unknown) => reason);
  server.close();
  expect(innermostMessage(error)).toMatch(
    /^The port does not use TLS \([a-z ]+\)\. Is it an http:\/\/ URL\?$/,
  );
});

test.each([
  [
    '80D1:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/openssl/record.c:1605:SSL alert number 40\n',
    'TLS failed: sslv3 alert handshake failure',
  ],
  ['self-signed certificate', 'self-signed certificate'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1'],
])('shows the error message %j as %j', (message, plain) => {
  expect(innermostMessage(new TypeError('fetch failed', { cause: new Error(message) }))).toBe(plain);
});
