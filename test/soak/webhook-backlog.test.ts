import { expect, it } from 'vitest';
import { weighQueue } from '../support/weigh-queue.js';

it('uses no more memory for 1,000,000 queued deliveries than for 20,000', async () => {
  const small = await weighQueue(20_000, 10_000);
  const large = await weighQueue(1_000_000, 10_000);
  expect(large.pending).toBeGreaterThan(989_000);
  expect(large.peak / small.peak).toBeLessThan(1.3);
});
