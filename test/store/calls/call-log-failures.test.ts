import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createTrafficBuffer } from '../../../src/store/calls/call-write-buffer.js';
import type { TrafficEntry } from '../../../src/store/calls/call-log.js';

const entry = (id: string): TrafficEntry => ({
  id,
  source: 'script',
  event: undefined,
  environment: undefined,
  time: 0,
  version: 1,
  outcome: 'ok',
  requestBytes: 0,
  responseBytes: 0,
  logs: [],
  outbound: [],
});

test('what cannot be written is told once, kept, and written when it can be', async () => {
  const clock = createVirtualClock();
  const written: string[] = [];
  const told: unknown[] = [];
  let full: Error | undefined = new Error('full');
  const buffer = createTrafficBuffer(
    clock,
    ({ entries }) => {
      if (full) throw full;
      written.push(...entries.map(({ id }) => id));
    },
    (error) => told.push(error),
  );
  buffer.record(entry('a'));
  await clock.advance(1_000);
  buffer.record(entry('b'));
  await clock.advance(1_000);
  expect([written, told]).toEqual([[], [full]]);
  full = undefined;
  await clock.advance(1_000);
  expect(written).toEqual(['a', 'b']);
  full = new Error('full again');
  buffer.record(entry('c'));
  await clock.advance(1_000);
  expect(told).toHaveLength(2);
  buffer.close();
});
