import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { pingWhenIdle } from '../../../src/deliveries/connection/worker-session.js';

it('pings the database every 3 s while idle, and stops when the session is lost', async () => {
  const clock = createVirtualClock();
  const lost = new AbortController();
  const pings: number[] = [];
  let last = 0;
  let failures = 0;
  const pinging = pingWhenIdle({
    clock,
    lost: lost.signal,
    ageMs: () => clock.monotonic() - last,
    async ping() {
      pings.push(clock.monotonic());
      if (failures-- > 0) throw new Error('canceled');
      last = clock.monotonic();
    },
  });
  await clock.advance(7000);
  expect(pings).toEqual([3000, 6000]);
  // A query of the worker.
  last = 7000;
  failures = 1;
  await clock.advance(3200);
  expect(pings).toEqual([3000, 6000, 10_000, 10_100]);
  lost.abort();
  await pinging;
  expect(clock.waiting().count).toBe(0);
});
