import { expect, test } from 'vitest';
import { createOpenStreams } from '../../../src/emulator/http/open-streams.js';
import { createVirtualClock } from '../../../src/base/clock.js';

const full =
  '2 script responses have been streaming for more than a second. Close some of them and try again.';

test('rejects a stream above the limit until another stream ends', async () => {
  const clock = createVirtualClock();
  const streams = createOpenStreams(clock, 2);
  const leave = streams.enter(() => {});
  streams.enter(() => {});
  await clock.advance(1_000);
  expect(streams.enter(() => {})).toBe(full);
  if (typeof leave === 'function') leave();
  expect(streams.enter(() => {})).toBeTypeOf('function');
});

test('ends streams above the limit after a second if all streams started together', async () => {
  const clock = createVirtualClock();
  const streams = createOpenStreams(clock, 2);
  const cut: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) streams.enter(({ message }) => cut.push(name, message));
  await clock.advance(999);
  expect(cut).toEqual([]);
  await clock.advance(1);
  expect(cut).toEqual(['c', full, 'd', full]);
  expect(clock.waiting().count).toBe(0);
});

test('does not limit the number of short responses', async () => {
  const clock = createVirtualClock();
  const streams = createOpenStreams(clock, 2);
  for (let n = 0; n < 50; n += 1) {
    const leave = streams.enter(() => expect.unreachable());
    await clock.advance(10);
    if (typeof leave === 'function') leave();
  }
});
