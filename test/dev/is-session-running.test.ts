import http from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isSessionRunning } from '../../src/dev/start-session.js';
import { controlToken } from '../emulator/emulator-under-test.js';
import { openSession } from '../support/open-session.js';

const record = (origin: string, token = 'a-token') => ({
  version: 1 as const,
  pid: 1,
  platformVersion: '0.2.0',
  origin: 'http://127.0.0.1:1',
  consoleOrigin: origin,
  token,
});

test('recognizes the recorded platform, but not another program at the same address', async () => {
  const { consoleOrigin, close } = await openSession({ fetch: async () => new Response() });
  onTestFinished(close);
  expect(await isSessionRunning(record(consoleOrigin, controlToken))).toBe(true);
  expect(await isSessionRunning(record(consoleOrigin))).toBe(false);
});

test('does not send the key to a proxy that is set for all requests', async () => {
  const { consoleOrigin, close } = await openSession({ fetch: async () => new Response() });
  onTestFinished(close);
  // Node sets both if NODE_USE_ENV_PROXY is set.
  const dispatcher = Symbol.for('undici.globalDispatcher.1');
  const proxied = { [dispatcher]: Reflect.get(globalThis, dispatcher) as unknown, agent: http.globalAgent };
  onTestFinished(() => {
    Object.assign(globalThis, { [dispatcher]: proxied[dispatcher] });
    http.globalAgent = proxied.agent;
  });
  Object.assign(globalThis, { [dispatcher]: undefined });
  http.globalAgent = Object.assign(new http.Agent(), { addRequest: undefined });
  expect(await isSessionRunning(record(consoleOrigin, controlToken))).toBe(true);
});

test('treats a session as running if its port does not respond, but not if its port is closed', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await isSessionRunning(record(origin), 20)).toBe(true);
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => server.close(closed));
  expect(await isSessionRunning(record(origin))).toBe(false);
});
