import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { obedient } from '../sandbox/sample-call.js';
import { startSandbox } from '../sandbox/start-sandbox.js';

test('killed 100 times under load: 502 for what was pending, and then it goes on', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(obedient);
  const stop = new AbortController();
  const slowest = { failure: 0, recovery: 0 };
  const statuses = new Map<number, number>();
  const clients = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) {
      const began = performance.now();
      const { status } = await send('wait');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 502) slowest.failure = Math.max(slowest.failure, performance.now() - began);
    }
  });
  for (let n = 0; n < 100; n += 1) {
    await expect.poll(() => sandbox.pid(), { interval: 1 }).toBeDefined();
    await sleep(30);
    const pid = sandbox.pid();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    const began = performance.now();
    while ((await send('')).status !== 200);
    slowest.recovery = Math.max(slowest.recovery, performance.now() - began);
  }
  stop.abort();
  await Promise.all(clients);
  console.log({ kills: 100, statuses, slowest });
  expect([...statuses.keys()].sort((a, b) => a - b)).toEqual([200, 502]);
  expect(slowest.failure).toBeLessThan(1000);
  expect(slowest.recovery).toBeLessThan(2000);
}, 60_000);
