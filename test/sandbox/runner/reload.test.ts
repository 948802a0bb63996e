import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

test('drops no requests while one script replaces another', async () => {
  const { sandbox, send } = await startSandbox();
  const version = (n: number): { code: string } =>
    script(`await new Promise((resolve) => setTimeout(resolve, 5)); return new Response('${n}')`);
  await sandbox.load(version(0));
  const stop = new AbortController();
  const answers: { status: number; text: string }[] = [];
  const clients = Array.from({ length: 8 }, async () => {
    while (!stop.signal.aborted) answers.push(await send(''));
  });
  for (let n = 1; n <= 5; n += 1) {
    await sandbox.load(version(n));
    expect((await send('')).text).toBe(String(n));
  }
  stop.abort();
  await Promise.all(clients);
  expect(answers.length).toBeGreaterThan(50);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('keeps the later of two scripts that start loading at almost the same time', async () => {
  const { sandbox, send } = await startSandbox();
  const outcomes = await Promise.all([
    sandbox.load(script(`return new Response('one')`)),
    sandbox.load(script(`return new Response('two')`)),
    sandbox.load(script(`return new Response('three')`)),
  ]);
  expect(outcomes).toEqual(['superseded', 'superseded', 'loaded']);
  expect((await send('')).text).toBe('three');
});

test('abandons a load that is superseded while its top-level code is running', async () => {
  const { sandbox, send } = await startSandbox();
  const endless = sandbox.load({ code: 'for (;;);' });
  await sleep(100);
  expect(await sandbox.load(script(`return new Response('two')`))).toBe('loaded');
  expect(await endless).toBe('superseded');
  expect((await send('')).text).toBe('two');
});

test('holds early requests until the first script has loaded', async () => {
  const { sandbox, send } = await startSandbox();
  const loaded = sandbox.load(script(`return new Response('one')`));
  expect(await send('')).toEqual({ status: 200, text: 'one' });
  await loaded;
});

test('finishes waitUntil work before the process stops', async () => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(
    script(`
      const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      context.waitUntil(later(200).then(() => {
        console.log('first work is done');
        context.waitUntil(later(100).then(() => console.log('second work is done')));
      }));
      return new Response('one')`),
  );
  await send('');
  const former = sandbox.pid();
  await sandbox.load(script(`return new Response('two')`));
  expect((await send('')).text).toBe('two');
  await logged('second work is done');
  await expect.poll(() => alive(former)).toBe(false);
});

test('lets the previous script finish a slow request that it began', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(script(`await new Promise((ok) => setTimeout(ok, 400)); return new Response('one')`));
  const begun = send('');
  await sleep(100);
  await sandbox.load(script(`return new Response('two')`));
  expect((await send('')).text).toBe('two');
  expect(await begun).toEqual({ status: 200, text: 'one' });
});

test('stops the previous process after 10 s if its work does not end', async () => {
  const clock = createVirtualClock();
  const { sandbox, send } = await startSandbox({ timers: clock });
  await sandbox.load(script(`context.waitUntil(new Promise(() => {})); return new Response('one')`));
  await send('');
  const former = sandbox.pid();
  await sandbox.load(script(`return new Response('two')`));
  await expect.poll(() => clock.waiting().count).toBeGreaterThan(0);
  await clock.advance(9_900);
  await sleep(100);
  expect(alive(former)).toBe(true);
  await clock.advance(200);
  await expect.poll(() => alive(former)).toBe(false);
});

test('rejects a script that does not finish loading within the time limit', async () => {
  const { sandbox } = await startSandbox({ timeoutMs: 300 });
  await expect(sandbox.load({ code: 'await new Promise(() => {});' })).rejects.toThrow(
    'The script took longer than 0.3 s to load.',
  );
});

test('waits for the first close if the sandbox is closed twice', async () => {
  const { sandbox } = await startSandbox();
  const first = sandbox.close();
  expect(sandbox.close()).toBe(first);
  await first;
});

function alive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
