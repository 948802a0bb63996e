import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { closePatiently } from '../../src/dev/closing.js';

test.each([
  [2, 'Waiting up to 2 s for 2 calls to finish. Press Ctrl-C again to stop now.'],
  [0, 'Waiting up to 10 s for background work to finish. Press Ctrl-C again to stop now.'],
])('reports a slow shutdown after 1 s, and aborts %i calls after 2 s', async (calls, message) => {
  const clock = createVirtualClock(0);
  const happened: unknown[] = [];
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const closing = closePatiently(
    { close: () => closed },
    {
      timers: clock,
      runner: {
        unfinishedCalls: () => calls,
        hasBackgroundWork: () => true,
        cutCalls: () => void happened.push('cut'),
      },
      tell: (event) => void happened.push(event),
    },
  );
  const warning = { type: 'warning', code: 'stopping', message };
  await clock.advance(999);
  expect(happened).toEqual([]);
  await clock.advance(1);
  expect(happened).toEqual([warning]);
  await clock.advance(1_000);
  expect(happened).toEqual([warning, 'cut']);
  close();
  await closing;
});

test('says what a shutdown waits for only if it waits for calls or background work', async () => {
  const clock = createVirtualClock(0);
  const happened: string[] = [];
  let hasBackgroundWork = false;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => (close = resolve));
  const runner = { unfinishedCalls: () => 0, hasBackgroundWork: () => hasBackgroundWork, cutCalls: () => {} };
  const tell = ({ type }: { type: string }): void => void happened.push(type);
  const closing = closePatiently({ close: () => closed }, { timers: clock, runner, tell });
  await clock.advance(5_500);
  expect(happened).toEqual([]);
  hasBackgroundWork = true;
  await clock.advance(5_000);
  expect(happened).toEqual(['warning']);
  close();
  await closing;
  await clock.advance(5_000);
  expect(happened).toEqual(['warning']);
});

test('reports nothing about a fast shutdown', async () => {
  const clock = createVirtualClock(0);
  const happened: string[] = [];
  const cutCalls = (): void => void happened.push('cut');
  const runner = { unfinishedCalls: () => 1, hasBackgroundWork: () => true, cutCalls };
  const tell = ({ type }: { type: string }): void => void happened.push(type);
  await closePatiently({ close: async () => {} }, { timers: clock, runner, tell });
  await clock.advance(5_000);
  expect(happened).toEqual([]);
});
