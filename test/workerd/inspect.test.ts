import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { script } from '../sandbox/sample-call.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { freePort } from '../support/free-port.js';
import { testRuntime } from './installed-workerd.js';

const targets = async (port: number): Promise<string[]> => {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const list = (await response.json()) as { webSocketDebuggerUrl: string }[];
  return list.map(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl);
};

/** What a debugger is told of the scripts, once it has asked. */
async function parsedScripts(address: string): Promise<string> {
  const key = { 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Version': '13' };
  const asked = request(address.replace('ws:', 'http:'), {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...key },
  });
  asked.end();
  const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
  const text = JSON.stringify({ id: 1, method: 'Debugger.enable' });
  // A frame of text, masked with zeros.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]));
  let told = '';
  for await (const piece of socket) {
    told += String(piece);
    if (told.includes('sourceMapURL":"data:')) break;
  }
  return told;
}

test('lets a debugger find the script and its source map on the same port after a reload', async () => {
  const port = await freePort();
  const { sandbox, send } = await startSandbox({ inspect: port, runtime: await testRuntime() });
  const map = '{"version":3,"sources":["a.ts"],"names":[],"mappings":""}';
  const addresses: string[] = [];
  for (const answer of ['one', 'two']) {
    await sandbox.load({ ...script(`return new Response('${answer}')`), map });
    expect((await send('')).text).toBe(answer);
    // Each process has a path of its own, so the list changes with a reload.
    const here = [expect.stringMatching(new RegExp(`^ws://127\\.0\\.0\\.1:${port}/[\\w-]{22}$`))];
    await expect.poll(() => targets(port).catch(() => [])).toEqual(here);
    const [address = ''] = await targets(port);
    expect(addresses).not.toContain(address);
    addresses.push(address);
    expect(await parsedScripts(address)).toContain(Buffer.from(map).toString('base64'));
  }
});

test('reports a port in use and suggests the next step', async () => {
  const port = await freePort();
  const holder = createServer().listen(port, '127.0.0.1');
  await once(holder, 'listening');
  const { sandbox, logged } = await startSandbox({ inspect: port, runtime: await testRuntime() });
  await sandbox.load(script(`return new Response('')`));
  expect((await logged('--inspect <port>')).text).toContain('EADDRINUSE');
  holder.close();
});
