import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { obedient, script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';
import { freePort } from '../../support/free-port.js';

const ended = (why: string): string =>
  JSON.stringify({ error: `The script's process ended while it was handling this request: ${why}.` });

test.each([
  ['process.exit(3)', 'exit code 3'],
  ['process.kill(process.pid, "SIGTERM"); await new Promise(() => {})', 'ended by SIGTERM'],
  ['process.abort()', 'ended by SIGABRT'],
])('responds with 502 if the script runs %s, and starts a new process', async (body, why) => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(obedient);
  const former = sandbox.pid();
  expect(await send(body)).toEqual({ status: 502, text: ended(why) });
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(sandbox.pid()).not.toBe(former);
  await logged(`The script's process ended unexpectedly: ${why}. Starting it again.`);
});

test.each([
  ['reject', `Promise.reject(new Error('nobody waits'))`, 'Unhandled promise rejection: Error: nobody waits'],
  ['it', `setTimeout(() => { throw new Error('nobody catches') })`, 'Uncaught error: Error: nobody catches'],
])('logs %s with its call, and keeps the process running', async (_, body, text) => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(obedient);
  const former = sandbox.pid();
  expect(await send(body, 'c7')).toEqual({ status: 200, text: 'fine' });
  expect(await logged(text)).toMatchObject({ level: 'error', callId: 'c7' });
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(sandbox.pid()).toBe(former);
});

test.each([
  [
    'writes to its connection with the platform',
    `(await import('node:fs')).writeSync(5, 'x'.repeat(100))`,
    "the script wrote to the process's connection with the platform, so the platform stopped it",
  ],
  [
    'closes its connection with the platform',
    `(await import('node:fs')).closeSync(5); await new Promise(() => {})`,
    'its connection to the platform was lost, so the platform stopped it',
  ],
])('stops a script that %s, and starts a new process', async (_, body, why) => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(obedient);
  const former = sandbox.pid();
  expect(await send(body)).toEqual({ status: 502, text: ended(why) });
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(sandbox.pid()).not.toBe(former);
});

test.each([
  ['dev', { timeoutOption: '--timeout' }, ', or raise the limit with --timeout.', ' Starting it again.'],
  ['a check', { standby: false }, '.', ''],
])('in %s, responds with 504 to a loop and 502 to others, and restarts', async (_, options, raise, next) => {
  const clock = createVirtualClock();
  const { sandbox, send, logged } = await startSandbox({ timers: clock, ...options });
  await sandbox.load(obedient);
  const looping = send('loop');
  await logged('looping');
  await clock.advance(29_999);
  const beside = send('');
  await clock.advance(1);
  const { status, text } = await looping;
  expect(status).toBe(504);
  expect(JSON.parse(text)).toEqual({
    error: `The script did not respond within 30 s. Look for an infinite loop or a promise that never settles${raise}`,
  });
  const after = send('');
  await clock.advance(1000);
  expect((await beside).status).toBe(502);
  expect(await after).toEqual({ status: 200, text: 'fine' });
  const { text: notice } = await logged('ended unexpectedly');
  expect(notice).toBe(
    `The script's process ended unexpectedly: its event loop was blocked, so the platform stopped it.${next}`,
  );
});

test('responds with 504 to a call whose promise never settles, without affecting other calls', async () => {
  const clock = createVirtualClock();
  const { sandbox, send } = await startSandbox({ timers: clock });
  await sandbox.load(obedient);
  const former = sandbox.pid();
  const hanging = send('hang');
  await send('');
  await clock.advance(30_000);
  expect((await hanging).status).toBe(504);
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  await clock.advance(1000);
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(sandbox.pid()).toBe(former);
});

test('waits longer before each restart of a script that keeps crashing', async () => {
  const clock = createVirtualClock();
  const { sandbox, send, logs } = await startSandbox({ timers: clock });
  const starts = (): number => logs.filter(({ text }) => text.includes('unexpectedly')).length;
  await sandbox.load({
    code: `import process from 'node:process';
      import { setTimeout } from 'node:timers';
      setTimeout(() => process.exit(9), 30);
      export default { fetch: () => new Promise(() => {}) };`,
  });
  await expect.poll(starts).toBe(4);
  await sleep(200);
  expect(starts()).toBe(4);
  expect(logs.at(-1)?.text).toBe(
    `The script's process ended unexpectedly: exit code 9. Starting it again in 0.5 s.`,
  );
  expect(await send('')).toEqual({
    status: 502,
    text: JSON.stringify({
      error: `The script's process ended 4 times in a row (exit code 9). It restarts 0.5 s after the last exit, or when its code changes.`,
    }),
  });
  await clock.advance(500);
  await expect.poll(starts).toBe(5);
  expect(logs.at(-1)?.text).toContain('Starting it again in 1 s.');
  await sandbox.load(script(`return new Response('mended')`));
  expect(await send('')).toEqual({ status: 200, text: 'mended' });
});

test('restarts a script that crashes while the next one is loading', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(obedient);
  const loading = sandbox.load({
    code: `import { setTimeout as sleep } from 'node:timers/promises';
      await sleep(800);
      export default { fetch: () => new Response('newer') };`,
  });
  process.kill(sandbox.pid() ?? 0, 'SIGKILL');
  await expect.poll(() => send('')).toEqual({ status: 200, text: 'fine' });
  expect(await loading).toBe('loaded');
  expect((await send('')).text).toBe('newer');
  process.kill(sandbox.pid() ?? 0, 'SIGKILL');
  await expect.poll(() => send('')).toEqual({ status: 200, text: 'newer' });
});

test('restarts a script that crashes while the next one fails to load', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(obedient);
  const failing = sandbox.load({
    code: `import { setTimeout as sleep } from 'node:timers/promises';
      await sleep(300);
      throw new Error('no');`,
  });
  process.kill(sandbox.pid() ?? 0, 'SIGKILL');
  await expect(failing).rejects.toThrow('Error: no');
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
});

test("counts the wait for a process toward a call's time limit", async () => {
  const clock = createVirtualClock();
  const { sandbox, send, logged } = await startSandbox({ timers: clock, timeoutMs: 300 });
  await sandbox.load(obedient);
  const looping = send('loop');
  await logged('looping');
  await clock.advance(300);
  expect((await looping).status).toBe(504);
  // The stuck process is given another second before it is ended.
  const next = send('');
  await clock.advance(300);
  expect(await next).toMatchObject({ status: 504, text: expect.stringContaining('within 0.3 s') });
  await clock.advance(700);
  await expect.poll(async () => (await send('')).status).toBe(200);
});

const debuggers = async (port: number): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  return ((await response.json()) as unknown[]).length;
};

test('a debugger finds the current script on the same port before and after a reload', async () => {
  const port = await freePort();
  const clock = createVirtualClock();
  const { sandbox, send } = await startSandbox({ inspect: port, timers: clock });
  await sandbox.load(script(`await new Promise((ok) => setTimeout(ok, 50)); return new Response('one')`));
  await expect.poll(() => debuggers(port).catch(() => 0)).toBe(1);
  // Who stands at a breakpoint is not late.
  const begun = send('');
  await clock.advance(60_000);
  expect((await begun).text).toBe('one');
  await sandbox.load(script(`return new Response('two')`));
  expect((await send('')).text).toBe('two');
  await expect.poll(() => debuggers(port).catch(() => 0)).toBe(1);
});

test('logs debugger messages as info, and reports a port that is already in use', async () => {
  const port = await freePort();
  const first = await startSandbox({ inspect: port });
  await first.sandbox.load(script(`return new Response('one')`));
  expect(await first.logged(`Debugger listening on ws://127.0.0.1:${port}/`)).toMatchObject({
    level: 'info',
  });
  const second = await startSandbox({ inspect: port });
  await second.sandbox.load(script(`return new Response('two')`));
  expect(await second.logged('failed: address already in use')).toMatchObject({
    level: 'error',
    text: expect.stringMatching(/Choose another port with --inspect <port>\.$/),
  });
  expect([...first.logs, ...second.logs].filter(({ text }) => text.startsWith('For help'))).toEqual([]);
});
