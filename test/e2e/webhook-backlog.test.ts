import { expect, it } from 'vitest';
import { weighQueue } from '../support/weigh-queue.js';

it('uses no more memory for 50,000 queued deliveries than for 5,000', async () => {
  const small = await weighQueue(5000, 2000);
  const large = await weighQueue(50_000, 2000);
  expect(large.pending).toBeGreaterThan(47_000);
  expect(large.peak / small.peak).toBeLessThan(1.3);
});
