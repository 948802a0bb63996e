import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createDeadlines } from '../../src/base/deadlines.js';

test('a shared timer meets each deadline on time', async () => {
  const clock = createVirtualClock();
  const deadlines = createDeadlines(clock, 100);
  const passed: string[] = [];
  deadlines.start(() => passed.push('a'));
  const cancelB = deadlines.start(() => passed.push('b'));
  await clock.advance(40);
  deadlines.start(() => passed.push('c'));
  expect(clock.waiting().count).toBe(1);
  cancelB();
  await clock.advance(60);
  expect(passed).toEqual(['a']);
  await clock.advance(39);
  expect(passed).toEqual(['a']);
  await clock.advance(1);
  expect(passed).toEqual(['a', 'c']);
  expect(clock.waiting().count).toBe(0);
  deadlines.start(() => passed.push('d'));
  deadlines.clear();
  expect(clock.waiting().count).toBe(0);
  await clock.advance(1000);
  expect(passed).toEqual(['a', 'c']);
});

test('stops the shared timer once no deadlines remain', async () => {
  const clock = createVirtualClock();
  const deadlines = createDeadlines(clock, 100);
  const passed: string[] = [];
  const cancels = ['a', 'b'].map((name) => deadlines.start(() => passed.push(name)));
  cancels[0]?.();
  expect(clock.waiting().count).toBe(1);
  cancels[1]?.();
  expect(clock.waiting().count).toBe(0);
  deadlines.start(() => passed.push('c'));
  deadlines.endAll();
  expect(passed).toEqual(['c']);
  expect(clock.waiting().count).toBe(0);
});
