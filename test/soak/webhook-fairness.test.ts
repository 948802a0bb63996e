import { expect, it } from 'vitest';
import { p99OfOthers } from '../support/hanging-endpoints.js';

it("keeps the others' p99 within 2x while 100 of 1,000 endpoints hang", async () => {
  const load = { endpoints: 1000, eventsPerSecond: 500, seconds: 15 };
  await p99OfOthers({ ...load, hanging: 0, seconds: 2 });
  const quiet = await p99OfOthers({ ...load, hanging: 0 });
  const hanging = await p99OfOthers({ ...load, hanging: 100 });
  console.log(`p99 of the others: ${quiet} ms when all answer, ${hanging} ms when 100 hang`);
  expect(hanging).toBeLessThanOrEqual(2 * quiet);
});
