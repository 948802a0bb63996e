import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createVirtualClock, type Clock } from '../../../src/base/clock.js';
import { createPollLoop } from '../../../src/deliveries/worker/worker.js';

/** Everything that a signal refers to: its listeners, and the signals that `AbortSignal.any` made of it. */
function heldBy(signal: AbortSignal): number {
  const values = Object.getOwnPropertySymbols(signal).map(
    (key) => (signal as unknown as Record<symbol, { size?: unknown } | undefined>)[key],
  );
  const dependants = values.reduce(
    (sum, value) => sum + (typeof value?.size === 'number' ? value.size : 0),
    0,
  );
  return getEventListeners(signal, 'abort').length + dependants;
}

it('uses no more memory after 10,000 polls than at the start', async () => {
  const virtual = createVirtualClock();
  const ended = new AbortController();
  const sleeping = new Set<AbortSignal>();
  const clock: Clock = {
    ...virtual,
    async sleep(_, signal) {
      if (signal && sleeping.size < 10) sleeping.add(signal);
      await Promise.resolve();
    },
  };
  let rounds = 0;
  const counts: number[] = [];
  let reached = (): void => {};
  const enough = new Promise<void>((resolve) => (reached = resolve));
  const loop = createPollLoop({
    clock,
    pollMs: 100,
    ended: ended.signal,
    async round() {
      rounds += 1;
      if (rounds === 1 || rounds === 10_000) counts.push(heldBy(ended.signal));
      if (rounds === 10_000) reached();
      return false;
    },
    onTrouble() {},
  });
  await enough;
  expect(counts[1]).toBe(counts[0]);
  expect(sleeping).toHaveLength(10);
  await loop.stop();
  expect(getEventListeners(ended.signal, 'abort')).toEqual([]);
});

it.each(['stopped', 'lost'])('wakes up the poll loop when the loop is %s', async (how) => {
  const clock = createVirtualClock();
  const ended = new AbortController();
  let rounds = 0;
  const loop = createPollLoop({
    clock,
    pollMs: 100,
    ended: ended.signal,
    async round() {
      rounds += 1;
      return false;
    },
    onTrouble() {},
  });
  const sleepsUntil = async (at: number): Promise<void> => {
    await expect.poll(() => clock.waiting().next).toBe(at);
    await clock.advance(at - clock.monotonic());
  };
  for (const at of [5, 100, 105]) await sleepsUntil(at);
  expect(rounds).toBe(2);
  await expect.poll(() => clock.waiting().next).toBe(200);
  loop.wake();
  await sleepsUntil(110);
  expect(rounds).toBe(3);
  await expect.poll(() => clock.waiting().next).toBe(205);
  if (how === 'lost') ended.abort();
  await loop.stop();
  expect(clock.waiting().count).toBe(0);
  expect(rounds).toBe(3);
});
