import { expect, test } from 'vitest';
import { restartDelay } from '../../../src/sandbox/runner/crash-loop.js';
import { createLineRateLimit } from '../../../src/sandbox/observe/line-rate-limit.js';

test.each([
  [1, 0],
  [3, 0],
  [4, 500],
  [5, 1000],
  [8, 8000],
  [10, 30_000],
  [1000, 30_000],
])('after %i crashes in a row, waits %i ms before the next restart', (crashes, ms) => {
  expect(restartDelay(crashes)).toBe(ms);
});

test('drops and counts log lines over the limit, and allows new lines as time passes', () => {
  let now = 0;
  const budget = createLineRateLimit({ refillPerSecond: 100, now: () => now });
  const passed = (): number =>
    Array.from({ length: 1500 }, () => budget.take(10, true)).filter(Boolean).length;
  expect(passed()).toBe(1000);
  expect(budget.dropped()).toBe(500);
  now = 1000;
  expect(passed()).toBe(100);
  expect(budget.dropped()).toBe(1400);
  now = 60_000;
  expect(passed()).toBe(1000);
});

test('also limits the number of logged characters, and drops lines while nobody reads them', () => {
  const budget = createLineRateLimit({ refillPerSecond: 0, now: () => 0 });
  expect(budget.take(10, false)).toBe(false);
  expect(budget.take(300_000, true)).toBe(true);
  expect(budget.take(1, true)).toBe(false);
  expect(budget.dropped()).toBe(1);
});
