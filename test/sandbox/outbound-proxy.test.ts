import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createOutboundProxy } from '../../src/sandbox/workerd/outbound-proxy.js';
import { HEAD_HEADER } from '../../src/sandbox/workerd/worker-protocol.js';

test('forwards all request headers, however many there are', async () => {
  const received: string[] = [];
  const proxy = createOutboundProxy({
    key: 'key',
    fetch: async (_, init) => {
      received.push(...new Headers(init?.headers).keys());
      return new Response('ok');
    },
  });
  const port = await proxy.listen({ host: '127.0.0.1', port: 0 });
  const names = Array.from({ length: 3_000 }, (_, n) => `x-${n}`);
  const socket = connect(port ?? 0, '127.0.0.1');
  socket.write(
    `GET http://api.example/ HTTP/1.1\r\n${HEAD_HEADER}: {"key":"key"}\r\n${names.map((name) => `${name}: 1\r\n`).join('')}\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  proxy.close();
  expect(received.toSorted()).toEqual(names.toSorted());
});
