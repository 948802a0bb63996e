import { expect, test } from 'vitest';
import { newWindow, RequestPool } from '../../../src/webhooks/queue/request-pool.js';

/** Takes a request for each endpoint in turn, until none of them has room; returns how many each has. */
function fill(concurrency: number, busy: number, open: number): number[] {
  const pool = new RequestPool({ concurrency, perEndpoint: 4 });
  const windows = Array.from({ length: busy }, newWindow);
  for (let taken = true; taken;) {
    taken = false;
    for (const window of windows) {
      if (window.inFlight === 4 || !pool.hasRoom(window, open)) continue;
      pool.take(window);
      taken = true;
    }
  }
  return windows.map(({ inFlight }) => inFlight);
}

test.each<[what: string, concurrency: number, busy: number, open: number, expected: number[]]>([
  ['endpoints use the whole pool if all of them are busy', 8, 3, 3, [3, 3, 2]],
  ['the pool keeps a slot for each of two endpoints without a request', 8, 3, 5, [2, 2, 2]],
  ['the pool keeps half of its slots if many endpoints have no request', 8, 3, 1000, [2, 1, 1]],
  ['a single busy endpoint uses all the slots that one endpoint may have', 8, 1, 1000, [4]],
  ['the first request of an endpoint does not need a reserved slot', 4, 6, 1000, [1, 1, 1, 1, 0, 0]],
])('%s', (_, concurrency, busy, open, expected) => {
  expect(fill(concurrency, busy, open)).toEqual(expected);
});

test('does not count a previously hanging endpoint toward the shared limit until it responds again', () => {
  const pool = new RequestPool({ concurrency: 1, perEndpoint: 4 });
  const [hung, other] = [newWindow(), newWindow()];
  const request = (answered: boolean, { slow }: { slow: boolean }): void => {
    const slot = pool.take(hung);
    if (slow) pool.markSlow(slot);
    pool.finish(slot, answered);
  };
  const blocksOther = (): boolean => {
    const slot = pool.take(hung);
    const blocked = !pool.hasRoom(other, 2);
    pool.giveBack(slot);
    return blocked;
  };
  request(false, { slow: true });
  // As when its name could not be resolved a moment ago.
  request(false, { slow: false });
  expect(blocksOther()).toBe(false);
  request(true, { slow: false });
  expect(blocksOther()).toBe(true);
});
