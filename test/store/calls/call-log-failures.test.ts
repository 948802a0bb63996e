import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createCallBuffer } from '../../../src/store/calls/call-write-buffer.js';
import { callEntry } from '../../support/call-entry.js';

test('reports a failed write to the call log once, and retries it as soon as possible', async () => {
  const clock = createVirtualClock();
  const written: string[] = [];
  const told: unknown[] = [];
  let full: Error | undefined = new Error('full');
  const buffer = createCallBuffer(
    clock,
    ({ entries }) => {
      if (full) throw full;
      written.push(...entries.map(({ id }) => id));
    },
    (error) => told.push(error),
  );
  buffer.record(callEntry('a'));
  await clock.advance(1_000);
  buffer.record(callEntry('b'));
  await clock.advance(1_000);
  expect([written, told]).toEqual([[], [full]]);
  full = undefined;
  await clock.advance(1_000);
  expect(written).toEqual(['a', 'b']);
  full = new Error('full again');
  buffer.record(callEntry('c'));
  await clock.advance(1_000);
  expect(told).toHaveLength(2);
  buffer.close();
});
