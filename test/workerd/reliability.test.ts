import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { killScript } from '../sandbox/kill-script.js';
import { script } from '../sandbox/sample-call.js';
import { startSandbox, type Started } from '../sandbox/start-sandbox.js';
import { workerProgram } from '../support/child-program.js';
import { buildSandboxParent, running } from '../support/sandbox-parent.js';
import { installedWorkerd, testRuntime } from './installed-workerd.js';
import { amount } from '../support/proved.js';
import { sharedFolder } from '../support/temporary-folder.js';

const start = async (options: Parameters<typeof startSandbox>[0] = {}): Promise<Started> =>
  startSandbox({ runtime: await testRuntime(), ...options });

const obedient = script(`
  if (body === 'loop') { console.log('looping'); for (;;); }
  if (body === 'slow') await new Promise((resolve) => setTimeout(resolve, 60000));
  if (body === 'never') await new Promise(() => {});
  if (body === 'wait') await new Promise((resolve) => setTimeout(resolve, 20));
  if (body === 'memory') { const all = []; for (;;) all.push({ text: Math.random() + 'abc' }); }
  if (body === 'flood') for (let n = 0; n < 300000; n++) console.log('line', n, 'x'.repeat(100));
  return new Response('fine')`);

test('responds with 502 to pending requests and serves new ones after each kill under load', async () => {
  const started = await start();
  await started.sandbox.load(obedient);
  const { statuses, slowest } = await killScript(started, amount(10, 60));
  expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([200, 502]);
  expect(slowest.failure).toBeLessThan(amount(Infinity, 1000));
  expect(slowest.recovery).toBeLessThan(amount(Infinity, 2000));
});

test('responds with 504 to an infinite loop at the time limit, and serves the next call', async () => {
  const { sandbox, send, logs } = await start({ timeoutMs: 500 });
  await sandbox.load(obedient);
  expect((await send('loop', 'call_1')).status).toBe(504);
  // What it printed before the loop is there.
  expect(logs).toContainEqual(expect.objectContaining({ callId: 'call_1', text: 'looping' }));
  while ((await send('')).status !== 200);
});

test('responds with 504 to a slow call, and immediately fails a call whose promise never settles', async () => {
  const { sandbox, send, logged } = await start({ timeoutMs: 500 });
  await sandbox.load(obedient);
  const pid = sandbox.pid();
  expect((await send('slow')).status).toBe(504);
  // Not 504 at the time limit.
  expect((await send('never')).status).toBe(500);
  await logged('had hung');
  expect([(await send('')).status, sandbox.pid()]).toEqual([200, pid]);
});

test('stops a script that uses too much memory, and reports why', async () => {
  const { sandbox, send, logged } = await start({ runtime: await testRuntime({ memoryMb: 64 }) });
  await sandbox.load(obedient);
  expect((await send('memory')).status).toBe(502);
  await logged('it needed more than 64 MB of memory');
  expect((await send('')).status).toBe(200);
});

test('limits the output of a call that logs 300,000 lines, and keeps running', async () => {
  const { sandbox, send, logs } = await start();
  await sandbox.load(obedient);
  const before = process.memoryUsage().rss;
  expect((await send('flood')).status).toBe(200);
  await expect.poll(() => logs.at(-1)?.text).toBe('… 299,000 lines dropped: too much output in a short time');
  const grown = (process.memoryUsage().rss - before) / 1024 ** 2;
  console.log(`300,000 lines from workerd: ${logs.length} kept, the platform grew by ${grown.toFixed(0)} MB`);
  expect(logs.length).toBeLessThan(1100);
  expect((await send('')).status).toBe(200);
});

const folder = sharedFolder();
beforeAll(async () => {
  await buildSandboxParent(join(folder, 'parent.mjs'));
});

const calm = script(`return new Response('')`);
const looping = script(`console.log('looping'); for (;;);`);

test.each<[what: string, code: string, then: string, sign: string, signal: NodeJS.Signals]>([
  ['SIGKILL while it is idle', calm.code, '', 'loaded', 'SIGKILL'],
  ['SIGKILL during an infinite loop', looping.code, 'call', 'looping', 'SIGKILL'],
  ['SIGKILL during an infinite loop while loading', 'for (;;);', 'loads', 'loading', 'SIGKILL'],
  ['SIGTERM', calm.code, '', 'loaded', 'SIGTERM'],
  ['SIGHUP during an infinite loop', looping.code, 'call', 'looping', 'SIGHUP'],
])('leaves no process behind if the platform is ended by %s', async (what, code, then, sign, signal) => {
  const place = mkdtempSync(join(folder, 'p-'));
  writeFileSync(join(place, 'kept'), '');
  const { binary, compatibilityDate, logging } = installedWorkerd();
  const program = JSON.stringify({
    binary,
    workerFile: await workerProgram(),
    version: '1.2.3',
    compatibilityDate,
    logging,
    compatibilityFlags: [],
    memoryMb: 512,
  });
  const parent = spawn(process.execPath, [join(folder, 'parent.mjs'), place, program, code, then], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  for await (const line of createInterface(parent.stdout)) if (line.startsWith(sign)) break;
  await expect.poll(async () => (await running(place)).length).toBeGreaterThan(0);
  parent.kill(signal);
  await ended;
  const began = performance.now();
  await expect.poll(() => running(place), { interval: 10 }).toEqual([]);
  await expect.poll(() => readdirSync(place)).toEqual(['kept']);
  console.log(`${what}: no workerd left ${(performance.now() - began).toFixed(0)} ms later`);
});
