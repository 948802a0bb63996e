import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  killInFlight,
  killWhileQueueing,
  killWhileSending,
  livesUntilPoisoned,
} from '../support/webhook-kills.js';

const file = (): string => join(temporaryFolder(), 'state.db');

it('loses none of 500 deliveries if the process is killed 10 times', async () => {
  const figures = await killWhileSending(file(), { deliveries: 500, kills: 10, concurrency: 16 });
  console.log(`killed while sending: ${JSON.stringify(figures)}`);
  expect(figures).toMatchObject({ missing: 0, otherBytes: 0, states: { delivered: 500 } });
  expect(figures.duplicates).toBeLessThanOrEqual(10 * 16);
});

it('keeps every acknowledged event if the process is killed while it queues events', async () => {
  const figures = await killWhileQueueing(file(), { kills: 5, events: 300 });
  console.log(`killed while queueing: ${JSON.stringify(figures)}`);
  expect(figures.acked).toBeGreaterThan(100);
  expect(figures.lost).toBe(0);
});

it('delivers an event even if the worker is killed 6 times during the request', async () => {
  expect(await killInFlight(file(), 6)).toMatchObject([
    { state: 'delivered', requests: 7, attempts: 1, crashes: 0 },
  ]);
});

it('sets aside only the delivery that has crashed the process five times', async () => {
  const { deaths, deliveries } = await livesUntilPoisoned(file());
  expect(deaths).toBe(5);
  expect(deliveries.filter(({ state }) => state !== 'delivered')).toMatchObject([
    { id: 'dlv_5', state: 'poisoned', crashes: 5, requests: 0 },
  ]);
  expect(deliveries).toHaveLength(12);
});
