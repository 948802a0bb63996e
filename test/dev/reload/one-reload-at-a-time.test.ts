import { expect, test } from 'vitest';
import { oneReloadAtATime } from '../../../src/dev/reload/one-reload-at-a-time.js';

test('reloads just once more, however many requests arrive during a reload', async () => {
  const gates: (() => void)[] = [];
  const run = oneReloadAtATime(() => new Promise<void>((open) => gates.push(open)));
  const first = run();
  const later = [run(), run(), run()];
  expect(gates).toHaveLength(1);
  gates[0]?.();
  await first;
  await Promise.resolve();
  await Promise.resolve();
  expect(gates).toHaveLength(2);
  gates[1]?.();
  await Promise.all(later);
  expect(gates).toHaveLength(2);
});

test('reloads again after a failed reload', async () => {
  let runs = 0;
  const run = oneReloadAtATime(async () => {
    runs++;
    if (runs === 1) throw new Error('broken');
  });
  const first = run();
  const second = run();
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(runs).toBe(2);
});

test('does not start overlapping reloads if a request is made just as a reload ends', async () => {
  let active = 0;
  let most = 0;
  const run = oneReloadAtATime(async () => {
    active++;
    most = Math.max(most, active);
    await new Promise((done) => setImmediate(done));
    active--;
  });
  const first = run();
  const second = run();
  await first;
  await Promise.all([second, run()]);
  expect(most).toBe(1);
});
