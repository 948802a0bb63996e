import { expect, test } from 'vitest';
import { simulate, type SimulationOptions } from './simulate.js';

const small: SimulationOptions = {
  workers: 8,
  endpoints: 800,
  perSecond: 200,
  seconds: 10,
  failing: 0.1,
  hanging: 0.01,
  killsPerMinute: 30,
  freezesPerMinute: 6,
  shedMs: 1000,
  seed: 7,
};

test('loses no deliveries if workers are killed or frozen, and repeats only those in flight', async () => {
  const { crashes, unfinished, repeated, mostOpen, events } = await simulate(small);
  expect(events).toBeGreaterThan(1500);
  expect(new Set(crashes.map(({ kind }) => kind))).toEqual(new Set(['kill', 'freeze']));
  expect(unfinished).toBe(0);
  expect(mostOpen).toBeLessThanOrEqual(4);
  const inFlight = crashes.reduce((sum, { unwritten }) => sum + unwritten, 0);
  expect(repeated).toBeGreaterThan(0);
  // Lanes that change hands cut off what hangs.
  expect(repeated).toBeLessThanOrEqual(inFlight + 20);
});

test('simulates identical runs for the same seed', async () => {
  expect(await simulate(small)).toEqual(await simulate(small));
});
