import { expect, it } from 'vitest';
import { median } from '../bench/paired.js';
import { p99OfOthers } from '../support/hanging-endpoints.js';

const rounds = 7;

it('at most doubles the p99 latency of 900 endpoints while 100 others hang', async () => {
  const load = { endpoints: 1000, eventsPerSecond: 500, seconds: 6 };
  await p99OfOthers({ ...load, hanging: 0, seconds: 2 });
  const pairs: { quiet: number; hanging: number }[] = [];
  // In turn, so that a machine whose speed drifts does not tilt the ratio.
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await p99OfOthers({ ...load, hanging: 0 });
    pairs.push({ quiet, hanging: await p99OfOthers({ ...load, hanging: 100 }) });
  }
  const ratio = median(pairs.map(({ quiet, hanging }) => hanging / quiet));
  const shown = pairs.map(({ quiet, hanging }) => `${quiet}/${hanging}`).join(' ');
  console.log(`p99 of the others in ms, all answering/100 hanging: ${shown}; median ${ratio.toFixed(2)}x`);
  expect(ratio).toBeLessThanOrEqual(2);
});
