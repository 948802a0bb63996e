import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createVirtualClock, systemClock } from '../../src/base/clock.js';
import { createMemoryStore } from '../../src/store/store.js';
import { openStore } from '../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import type { DeliveryRight, DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { silentOwner as owner } from '../store/owned-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startHook, startLife } from '../support/webhook-lives.js';
import { siteEndpoint, siteView, start, withMortalOwner } from '../webhooks/dispatcher-under-test.js';

it("rejects a second dispatcher for the same store unless the first one's process has ended", async () => {
  const memory = createMemoryStore(systemClock).deliveries;
  await memory.own(owner);
  await expect(memory.own(owner)).rejects.toMatchObject({ code: 'in-use' });

  const file = join(temporaryFolder(), 'state.db');
  const hook = await startHook();
  const rounds = 5;
  let refused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const enqueue = { from: round, to: round + 1 };
    const life = await startLife({ file, url: hook.url, concurrency: 4, enqueue });
    await expect.poll(() => life.acked.length).toBe(1);
    const store = openStore({ file, clock: systemClock });
    await store.deliveries.own(owner).catch(({ code, message }: { code: string; message: string }) => {
      expect(message).toContain(file);
      if (code === 'in-use') refused += 1;
    });
    life.child.kill('SIGKILL');
    await life.ended;
    const right = await store.deliveries.own(owner);
    await right.release();
    await store.close();
  }
  hook.close();
  console.log(`owners: ${refused} of ${rounds} second dispatchers refused`);
  expect(refused).toBe(rounds);
});

it('does not call a store again after losing the delivery lock', async () => {
  const clock = createVirtualClock(start);
  let asked = 0;
  const counted = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    async own(next) {
      const right = await store.own(next);
      return new Proxy(right, {
        get(target, key: keyof DeliveryRight) {
          if (target.lost.aborted && key !== 'lost' && key !== 'release') asked += 1;
          return target[key];
        },
      });
    },
  });
  const store = withMortalOwner(counted(createMemoryStore(clock).deliveries));
  let requests = 0;
  const dispatcher = await createWebhookDispatcher({
    store,
    clock,
    random: () => 0,
    version: '1',
    async fetch() {
      requests += 1;
      if (requests === 50) await store.die();
      return new Response('ok');
    },
  });
  for (let n = 0; n < 100; n += 1) {
    await dispatcher.endpoints.add(siteEndpoint({ target: { type: 'site', id: `site_${n}` } }));
  }
  for (let n = 0; n < 1000; n += 1) await dispatcher.enqueue(siteView(`evt_${n}`, `site_${n % 100}`));
  await dispatcher.idle();
  const atOnce = asked;
  await clock.advance(3_600_000);
  console.log(
    `refusing store: asked ${atOnce} times for what was under way, ${asked - atOnce} times in the hour after, ${requests} requests sent`,
  );
  expect(atOnce).toBeLessThanOrEqual(256);
  expect(asked).toBe(atOnce);
  await dispatcher.close();
});
