import { join } from 'node:path';
import { expect, it } from 'vitest';
import { amount } from '../support/proved.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  killInFlight,
  killWhileQueueing,
  killWhileSending,
  livesUntilPoisoned,
} from '../support/webhook-kills.js';

const file = (): string => join(temporaryFolder(), 'state.db');

it('loses no delivery if the process is killed while it sends them', async () => {
  const [deliveries, kills] = [amount(500, 10_000), amount(10, 200)];
  const figures = await killWhileSending(file(), { deliveries, kills, concurrency: 16 });
  console.log(`killed while sending: ${JSON.stringify(figures)}`);
  expect(figures).toMatchObject({ missing: 0, otherBytes: 0, states: { delivered: deliveries } });
  expect(figures.duplicates).toBeLessThanOrEqual(kills * 16);
});

it('keeps every acknowledged event if the process is killed while it queues events', async () => {
  const figures = await killWhileQueueing(file(), { kills: amount(5, 50), events: amount(300, 1000) });
  console.log(`killed while queueing: ${JSON.stringify(figures)}`);
  expect(figures.acked).toBeGreaterThan(100);
  expect(figures.lost).toBe(0);
});

it('delivers an event even if the worker is killed many times during the request', async () => {
  const kills = amount(6, 20);
  expect(await killInFlight(file(), kills)).toMatchObject([
    { state: 'delivered', requests: kills + 1, attempts: 1, crashes: 0 },
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
