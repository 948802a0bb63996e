import { readFileSync, readlinkSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startDevProject, type DevProject } from '../support/dev-project.js';
import { freePort } from '../support/free-port.js';
import { attachDebugger } from '../support/inspector-client.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';
import { setup, teardown } from '../workerd/install.js';
import { installedWorkerd } from '../workerd/installed-workerd.js';

const sourceOf = (revision: string): string => `const revision = '${revision}';
export default {
  async fetch() {
    return new Response(revision);
  },
};
`;

let port: number;
let project: DevProject;
let chromium: { browser: Browser; close(): Promise<void> };
beforeAll(async () => {
  setup();
  port = await freePort();
  const options = ['--runtime', 'workerd', '--inspect', String(port)];
  [project, chromium] = await Promise.all([
    startDevProject('projects/boundary', options, (folder) => {
      symlinkSync(join(installedWorkerd().folder, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'src/index.ts'), sourceOf('one'));
    }),
    launchPlainBrowser(['--host-resolver-rules=MAP attacker.example 127.0.0.1']),
  ]);
  // The debugger's port opens when the first script is in place.
  await vi.waitUntil(() => listed().catch(() => ''), 10_000);
}, 120_000);
afterAll(async () => {
  await Promise.all([chromium?.close(), project?.close()]);
  teardown();
});

/** The address of the debugger, as an honest client reads it. */
async function listed(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  return target?.webSocketDebuggerUrl ?? '';
}

/** What comes back on a bare socket. */
const raw = (head: string, at = { host: '127.0.0.1', port }): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect(at.port, at.host, () => socket.write(head));
    socket.setEncoding('latin1').on('data', (data: string) => {
      received += data;
      // Bodies of JSON are read until the server closes the connection.
      if (/^HTTP\/1.1 (?!200)[^]*\r\n\r\n/.test(received)) socket.destroy();
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });

const websocket = `Connection: Upgrade
Upgrade: websocket
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
`;
const headOf = (target: string, lines: string[], more = ''): string =>
  [`GET ${target} HTTP/1.1`, ...lines, ...more.trim().split('\n').filter(Boolean), '', ''].join('\r\n');

const isLetIn = (response: string): boolean =>
  response.startsWith('HTTP/1.1 101') || response.includes('webSocketDebuggerUrl');

test('lets a debugger connect only with the right Host, Origin and path', async () => {
  const { pathname: path } = new URL(await listed());
  const own = `Host: 127.0.0.1:${port}`;
  const hosts = [
    'attacker.example',
    `attacker.example:${port}`,
    `localhost.attacker.example:${port}`,

    '127.0.0.1',
    'localhost',
    '127.0.0.1:',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port}x`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[::ffff:7f00:1]:${port}`,
    `[0:0:0:0:0:0:0:1]:${port}`,
    `127.1:${port}`,
    `0x7f000001:${port}`,
    `2130706433:${port}`,
    `0177.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `127.0.0.2:${port}`,
    `localhost.:${port}`,
    `127.0.0.1.:${port}`,
    `a@127.0.0.1:${port}`,
    '',
  ].map((value) => [`Host: ${value}`]);
  const twoHosts = [
    [own, `Host: attacker.example:${port}`],
    [`Host: attacker.example:${port}`, own],
    [own, own],
    [`Host: 127.0.0.1:${port}, 127.0.0.1:${port}`],
  ];
  const origins = [
    'http://attacker.example',
    'https://attacker.example',
    'null',
    'file://',
    'chrome-extension://aaaa',
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    project.urls.publicEndpoint,
    '',
    'http://devtools://devtools',
    'web-devtools://devtools',
    'HTTP://attacker.example',
  ].map((value) => [own, `Origin: ${value}`]);
  const twoOrigins = [[own, 'Origin: devtools://devtools', 'Origin: http://attacker.example']];
  const embedded = ['cross-site', 'same-site', 'same-origin'].map((site) => [own, `Sec-Fetch-Site: ${site}`]);
  const foreign = [...hosts, ...twoHosts, ...origins, ...twoOrigins];
  const attacks = [
    ...[...foreign, ...embedded].flatMap((lines) =>
      ['/json', '/json/list'].map((list) => headOf(list, lines)),
    ),
    ...foreign.flatMap((lines) => [path, '/script'].map((target) => headOf(target, lines, websocket))),
    ...['/script', '/', '/json', `${path}/`, `${path}?`, `/${path}`, path.slice(0, -1), path.toLowerCase()]
      .concat([
        `http://127.0.0.1:${port}${path}`,
        `ws://attacker.example${path}`,
        `%2f${path.slice(1)}`,
        `*${path}`,
      ])
      .map((target) => headOf(target, [own], websocket)),
    ...[
      `http://127.0.0.1:${port}/json`,
      `http://attacker.example/json`,
      '//json',
      '/json?',
      '/json/new',
      '/JSON',
    ].map((target) => headOf(target, [own])),
    headOf(path, [own], websocket).replace('GET', 'POST'),
    headOf('/json', [own]).replace('GET', 'PUT'),
    'GET /json HTTP/1.0\r\n\r\n',
    headOf(path, [], websocket).replace('HTTP/1.1', 'HTTP/1.0'),
  ];
  const letIn: string[] = [];
  for (const attack of attacks) if (isLetIn(await raw(attack))) letIn.push(attack);
  console.log(`inspector: ${attacks.length - letIn.length} of ${attacks.length} foreign requests refused`);
  expect(letIn).toEqual([]);

  const honest = [[own], [`Host: localhost:${port}`], [own, 'Origin: devtools://devtools']].flatMap(
    (lines) => [
      ...['/json', '/json/list'].map((list) => headOf(list, [...lines, 'Connection: close'])),
      headOf(path, lines, websocket),
    ],
  );
  for (const request of honest) expect([request, isLetIn(await raw(request))]).toEqual([request, true]);
});

/** The addresses that workerd itself listens on. */
function listenersOfWorkerd(): { host: string; port: number }[] {
  const sockets = new Set<string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--inspector-addr')) continue;
      if (!isDescendant(Number(pid), project.process.pid ?? 0)) continue;
      for (const fd of readdirSync(`/proc/${pid}/fd`)) sockets.add(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      // It has ended meanwhile.
    }
  }
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
    .map(([, local = '']) => {
      const [address = '', inner = ''] = local.split(':');
      const bytes = [...Buffer.from(address, 'hex')].toReversed();
      return { host: bytes.join('.'), port: Number.parseInt(inner, 16) };
    });
}

function isDescendant(pid: number, of: number): boolean {
  const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  return parent === of || (parent > 1 && isDescendant(parent, of));
}

test.skipIf(process.platform !== 'linux')(
  "prevents pages from guessing the address of workerd's own inspector",
  async () => {
    const listeners = listenersOfWorkerd();
    expect(listeners).toHaveLength(1);
    for (const { host, port: inner } of listeners) {
      expect(host).toMatch(/^127\.\d+\.\d+\.\d+$/);
      expect(host).not.toBe('127.0.0.1');
      // On the address that everyone tries, nothing listens.
      expect(await raw(headOf('/json', ['Host: x']), { host: '127.0.0.1', port: inner })).toBe('');
      const { pathname } = new URL(await listed());
      for (const target of ['/script', '/', pathname])
        expect(
          await raw(headOf(target, ['Host: x', ...websocket.trim().split('\n')]), { host, port: inner }),
        ).not.toMatch(/^HTTP\/1.1 101/);
    }
  },
);

/** Runs in a page: attaches, and reads what the script holds. */
const attach = (address: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => socket.send('{"id":1,"method":"Debugger.enable"}'));
    socket.addEventListener('message', ({ data }) => resolve(String(data)));
    socket.addEventListener('close', () => resolve('closed'));
  });

test('prevents pages in Chromium from attaching to the debugger or listing its targets', async () => {
  const stranger = await serve(
    () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } }),
  );
  const page = await chromium.browser.newPage();
  const attached: string[] = [];
  const known = new URL(await listed()).pathname;
  const bases = [
    `${stranger.url}/`,
    `${stranger.url.replace('127.0.0.1', 'localhost')}/`,
    `${stranger.url.replace('127.0.0.1', 'attacker.example')}/`,
    `${project.urls.publicEndpoint}/`,
  ];
  // DNS rebinding: a name of the attacker that resolves to this machine.
  const rebound = `http://attacker.example:${port}`;
  const targets = [`ws://127.0.0.1:${port}`, `ws://localhost:${port}`, `ws://attacker.example:${port}`];
  let tries = 0;
  const attempt = async (what: string, work: () => Promise<string>): Promise<void> => {
    tries += 1;
    const got = await work();
    if (/Debugger|webSocketDebuggerUrl|"id":1|^read/.test(got))
      attached.push(`${what}: ${got.slice(0, 100)}`);
  };
  for (const base of [...bases, 'data:text/html,hostile']) {
    await page.goto(base);
    for (const target of targets)
      for (const path of ['/script', known])
        await attempt(`${base} to ${target}${path}`, () => page.evaluate(attach, `${target}${path}`));
    await attempt(`${base} reads the list`, () =>
      page.evaluate(
        (url) => fetch(url).then((response) => response.text(), String),
        `http://127.0.0.1:${port}/json`,
      ),
    );
  }
  await attempt('rebound page', async () => {
    const response = await page.goto(`${rebound}/json/list`).catch(() => null);
    return response === null ? '' : response.text();
  });
  await stranger.close();
  await page.close();
  console.log(`inspector: ${tries - attached.length} of ${tries} tries of pages refused`);
  expect(attached).toEqual([]);
});

test('dev warns at startup if other users can attach to the debugger', () => {
  expect(project.lines).toContainEqual({
    type: 'warning',
    version: 1,
    code: 'debugger',
    message: `Any user of this machine can attach to the debugger on port ${port} and read the script's secrets and control it.`,
  });
});

test('stops a debugger at a breakpoint before and after a reload', async () => {
  const paths = new Set<string>();
  for (const revision of ['one', 'two']) {
    writeFileSync(join(project.folder, 'src/index.ts'), sourceOf(revision));
    await expect.poll(async () => (await fetch(project.urls.publicEndpoint)).text()).toBe(revision);
    await expect.poll(async () => paths.has(await listed().catch(() => [...paths][0] ?? ''))).toBe(false);
    paths.add(await listed());
    const client = await attachDebugger(port);
    await client.send('Runtime.enable');
    await client.send('Debugger.enable');
    const script = await client.event('Debugger.scriptParsed', ({ url }) =>
      String(url).endsWith('script.mjs'),
    );
    const { scriptSource } = await client.send('Debugger.getScriptSource', { scriptId: script['scriptId'] });
    const lineNumber = String(scriptSource)
      .split('\n')
      .findIndex((line) => line.includes('new Response(revision)'));
    const set = await client.send('Debugger.setBreakpointByUrl', { url: script['url'], lineNumber });
    expect(set['locations']).toHaveLength(1);
    const response = fetch(project.urls.publicEndpoint);
    const paused = await client.event('Debugger.paused');
    const [frame] = paused['callFrames'] as { callFrameId: string }[];
    const { result } = await client.send('Debugger.evaluateOnCallFrame', {
      callFrameId: frame?.callFrameId,
      expression: 'revision',
    });
    expect(result).toMatchObject({ value: revision });
    await client.send('Debugger.resume');
    expect(await (await response).text()).toBe(revision);
    client.close();
  }
  console.log(
    `inspector: a breakpoint stopped the script in ${paths.size} of 2 revisions, each with a path of its own`,
  );
});
