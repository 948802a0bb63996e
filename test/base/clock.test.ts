import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { createVirtualClock, systemClock, type Clock, type Timers } from '../../src/base/clock.js';

const day = 86_400_000;

afterEach(() => {
  // The spies wrap fake timers, so they must be restored before the real timers.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Records when the promise settles. */
function watch(promise: Promise<void>): { over: boolean } {
  const state = { over: false };
  promise.then(
    () => (state.over = true),
    () => undefined,
  );
  return state;
}

test('sleeps for longer than a single timer allows', async () => {
  vi.useFakeTimers();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const sleep = watch(systemClock.sleep(40 * day));
  await vi.advanceTimersByTimeAsync(40 * day - 1);
  expect(sleep.over).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleep.over).toBe(true);
  expect(timers.mock.calls.length).toBeLessThan(5);
});

test.each([
  ['forward', 10, 40 * day],
  ['forward', 40 * day, 41 * day],
])('detects within a second that the system clock was set %s', async (_, waitMs, jump) => {
  vi.useFakeTimers();
  const sleep = watch(systemClock.sleepUntil(systemClock.now() + waitMs + 5000));
  await vi.advanceTimersByTimeAsync(1500);
  expect(sleep.over).toBe(false);
  vi.setSystemTime(systemClock.now() + jump);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sleep.over).toBe(true);
});

test('reads the system time at most once a second after the clock is set back', async () => {
  vi.useFakeTimers();
  const end = new AbortController();
  const sleep = watch(systemClock.sleepUntil(systemClock.now() + 1000, end.signal));
  vi.setSystemTime(systemClock.now() - 40 * day);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sleep.over).toBe(false);
  expect(timers.mock.calls.length).toBeLessThanOrEqual(61);
  end.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

test.each(['sleep', 'sleepUntil'] as const)("%s rejects with its signal's abort reason", async (how) => {
  const end = new AbortController();
  const sleeping = systemClock[how](systemClock.now() + 40 * day, end.signal);
  end.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(systemClock[how](0, end.signal)).rejects.toBe('enough');
});

test('wakes sleepUntil() but not sleep() when a virtual clock is set', async () => {
  const clock = createVirtualClock(1000);
  const sleeper = watch(clock.sleep(50));
  const until = watch(clock.sleepUntil(1100));
  await clock.jump(-500);
  expect([clock.now(), clock.monotonic(), clock.waiting()]).toEqual([500, 1000, { count: 2, next: 550 }]);
  await clock.advance(50);
  expect([sleeper.over, until.over]).toEqual([true, false]);
  await clock.jump(550);
  expect(until.over).toBe(true);
});

test('adds up two simultaneous clock advances, and resolves the sleep() calls in order', async () => {
  const clock = createVirtualClock();
  const woken: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    await clock.sleep(ms);
    woken.push(clock.now());
  };
  void sleep(7);
  void sleep(3).then(() => sleep(1));
  await Promise.all([clock.advance(5), clock.advance(5)]);
  expect([clock.monotonic(), woken]).toEqual([10, [3, 4, 7]]);
});

test.each([
  ['advance', -5, 'advance(-5) would move time backward. To set the clock back, use jump().'],
  ['advance', Infinity, 'advance(Infinity) is not a time. Pass a number of milliseconds.'],
  ['jump', NaN, 'jump(NaN) is not a time. Pass a number of milliseconds.'],
] as const)('rejects %s(%d) on a virtual clock', async (method, ms, message) => {
  const clock = createVirtualClock();
  await expect(clock[method](ms)).rejects.toThrow(message);
  await clock.advance(1);
  expect([clock.now(), clock.monotonic()]).toEqual([1, 1]);
});

test.each(['system', 'virtual'])('removes the abort listener of the %s clock after a sleep', async (kind) => {
  const virtual = createVirtualClock();
  const clock = kind === 'system' ? systemClock : virtual;
  const { signal } = new AbortController();
  const sleeps = Promise.all([clock.sleep(1, signal), clock.sleepUntil(clock.now() + 1, signal)]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  await virtual.advance(1);
  await sleeps;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('TypeScript does not accept one kind of time as the other', () => {
  const platform: Clock = systemClock;
  const machine: Timers = systemClock;
  // @ts-expect-error A time limit would never end if the platform's clock stopped.
  const limits: Timers = platform;
  // @ts-expect-error Timers have no date.
  const dates: Clock = machine;
  expect(limits).toBe(dates);
});
