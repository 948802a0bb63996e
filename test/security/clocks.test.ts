import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startKillable } from '../support/killable.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const day = 86_400_000;
const jumps = [-40 * day, -day, day, 40 * day];

it('retries webhooks on time and without a busy loop when the clock is changed', async () => {
  const figures = await Promise.all(
    jumps.map(async (jumpMs) => {
      const file = join(temporaryFolder(), 'state.db');
      const { acked, ended } = await startKillable('clock-setter.ts', JSON.stringify({ file, jumpMs }));
      expect(await ended).toBe(true);
      const [first = NaN, second = NaN, timers = NaN] = acked;
      return { first, second, timers };
    }),
  );
  const shown = figures.map(
    ({ first, second }, i) => `${(jumps[i] ?? 0) / day} days: ${first}, ${second} ms`,
  );
  const timers = Math.max(...figures.map((figure) => figure.timers));
  console.log(
    `clocks: retries due after 1000, 2000 ms came after ${shown.join('; ')}; at most ${timers} timers`,
  );
  for (const { first, second } of figures) {
    expect(first).toBeGreaterThanOrEqual(990);
    expect(second).toBeGreaterThanOrEqual(1990);
  }
  expect(timers).toBeLessThan(50);
});
