import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { findPortOwner } from '../../../src/cli/session/port-owner.js';

test('reports which process uses a port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await findPortOwner(port, process.platform)).toBe(`node (process ${process.pid})`);
  server.close();
});

test('reports no process for an unused port', async () => {
  expect(await findPortOwner(1, process.platform)).toBeUndefined();
});
