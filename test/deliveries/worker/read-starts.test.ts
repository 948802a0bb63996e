import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createReadStarts, type ReadPlan } from '../../../src/deliveries/worker/due-reader.js';

const lanes = Array.from({ length: 256 }, (_, lane) => lane);
const databaseNow = 1_000_000;

const lanesFromBeginning = (plan: ReadPlan): number[] =>
  plan.filter(({ since }) => since === -Infinity).map(({ lane }) => lane);

/** Reads all lanes once. No deliveries are waiting in them. */
function readOnce() {
  const clock = createVirtualClock();
  const starts = createReadStarts(clock);
  const { plan } = starts.plan(lanes);
  for (const { lane } of plan) starts.advance(lane, Infinity, databaseNow);
  return { clock, starts, plan };
}

test("reads every endpoint group's queue from the beginning as long as that is fast", () => {
  const { starts, plan } = readOnce();
  expect(lanesFromBeginning(plan)).toEqual(lanes);
  starts.done(plan, 5, 0);
  expect(lanesFromBeginning(starts.plan(lanes).plan)).toEqual(lanes);
  // Reading 2,000 deliveries may take this long.
  starts.done(plan, 900, 2000);
  expect(lanesFromBeginning(starts.plan(lanes).plan)).toEqual(lanes);
});

test('after a slow read, reads only half of the queues from the beginning, and the other half the next time', () => {
  const { starts, plan } = readOnce();
  starts.done(plan, 400, 0);
  const reads = [starts.plan(lanes), starts.plan(lanes)];
  for (const { plan: next, left } of reads) {
    expect(left).toBe(false);
    expect(next.map(({ lane }) => lane)).toEqual(lanes);
    // The other queues are read from the oldest delivery that may still be waiting.
    expect(next.filter(({ since }) => since === databaseNow - 5000)).toHaveLength(128);
  }
  expect(new Set(reads.flatMap((read) => lanesFromBeginning(read.plan))).size).toBe(256);
  starts.done(starts.plan(lanes).plan, 10, 0);
  expect(lanesFromBeginning(starts.plan(lanes).plan)).toEqual(lanes);
});

test('starts reading at the oldest delivery that is pending or whose transaction may still be committed', () => {
  const { starts, plan } = readOnce();
  starts.done(plan, 400, 0);
  starts.advance(0, 500_000, databaseNow);
  starts.advance(1, databaseNow, databaseNow);
  starts.done(plan, 400, 0);
  const since = new Map<number, number>();
  for (let n = 0; n < 2; n += 1) {
    for (const one of starts.plan(lanes).plan) if (one.since > -Infinity) since.set(one.lane, one.since);
  }
  expect([since.get(0), since.get(1)]).toEqual([500_000, databaseNow - 5000]);
});

test('reads unread queues first, and reads only a few at a time after a failure', () => {
  const starts = createReadStarts(createVirtualClock());
  const { plan } = starts.plan(lanes);
  starts.failed(plan, undefined);
  const first = starts.plan(lanes);
  expect([first.plan.length, first.left]).toEqual([128, true]);
  for (const { lane } of first.plan) starts.advance(lane, Infinity, databaseNow);
  starts.done(first.plan, 30, 0);
  const second = starts.plan(lanes);
  expect(second.left).toBe(false);
  expect(lanesFromBeginning(second.plan)).toEqual(lanes.slice(128));
});

test("delays only the older deliveries of a queue whose read exceeded the server's time limit", async () => {
  const clock = createVirtualClock();
  const starts = createReadStarts(clock);
  starts.failed(starts.plan([7]).plan, databaseNow);
  expect(starts.plan([7]).plan).toEqual([{ lane: 7, since: databaseNow - 5000 }]);
  await clock.advance(300_000);
  expect(starts.plan([7]).plan).toEqual([{ lane: 7, since: -Infinity }]);
  // Another worker takes over the queue and gives it back.
  starts.forget(7);
  expect(starts.plan([7]).plan).toEqual([{ lane: 7, since: -Infinity }]);
});

test('reads at least 8 queues from the beginning each time, unless that is very slow', () => {
  const { starts, plan } = readOnce();
  const countAfter = (tookMs: number): number => {
    starts.done(starts.plan(lanes).plan, tookMs, 0);
    return lanesFromBeginning(starts.plan(lanes).plan).length;
  };
  starts.done(plan, 100, 0);
  expect([100, 100, 100, 100, 100, 100].map(countAfter)).toEqual([64, 32, 16, 8, 8, 8]);
  expect([600, 600, 600].map(countAfter)).toEqual([4, 2, 1]);
  // The queue that took long is not read from the beginning for a while.
  expect([600, 100, 100, 100, 100].map(countAfter)).toEqual([1, 2, 4, 8, 8]);
});
