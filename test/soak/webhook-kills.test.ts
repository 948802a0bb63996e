import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { killInFlight, killWhileQueueing, killWhileSending } from '../support/webhook-kills.js';

const file = (): string => join(temporaryFolder(), 'state.db');

it('loses none of 10,000 deliveries if the process is killed 200 times while it sends them', async () => {
  const figures = await killWhileSending(file(), { deliveries: 10_000, kills: 200, concurrency: 16 });
  console.log(`killed while sending: ${JSON.stringify(figures)}`);
  expect(figures).toMatchObject({ missing: 0, otherBytes: 0, states: { delivered: 10_000 } });
  expect(figures.duplicates).toBeLessThanOrEqual(200 * 16);
});

it('keeps every acknowledged event if the process is killed 50 times while it queues events', async () => {
  const figures = await killWhileQueueing(file(), { kills: 50, events: 1000 });
  console.log(`killed while queueing: ${JSON.stringify(figures)}`);
  expect(figures.lost).toBe(0);
});

it('delivers an event even if the worker is killed 20 times during the request', async () => {
  expect(await killInFlight(file(), 20)).toMatchObject([
    { state: 'delivered', requests: 21, attempts: 1, crashes: 0 },
  ]);
});
