import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Started } from './start-sandbox.js';

interface Toll {
  /** The number of calls for each status. */
  statuses: Map<number, number>;
  /** In milliseconds: a failed call, and the time from a kill to the next 200. */
  slowest: { failure: number; recovery: number };
}

/** Kills the script's process repeatedly while four clients call it continuously. */
export async function killScript({ sandbox, send }: Started, kills: number): Promise<Toll> {
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
  for (let n = 0; n < kills; n += 1) {
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
  return { statuses, slowest };
}
