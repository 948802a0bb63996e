import { expect, it } from 'vitest';
import { amount } from '../support/proved.js';
import { weighQueue } from '../support/weigh-queue.js';

it('uses no more memory for many queued deliveries than for a few', async () => {
  const [few, many, sent] = [amount(2000, 20_000), amount(20_000, 1_000_000), amount(1000, 10_000)];
  const small = await weighQueue(few, sent);
  const large = await weighQueue(many, sent);
  expect(large.pending).toBeGreaterThan(many - 1.5 * sent);
  expect(large.peak / small.peak).toBeLessThan(1.3);
});
