import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/base/clock.js';
import { createMemoryStore } from '../../src/store/store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';

export interface Load {
  endpoints: number;
  /** The number of endpoints, counted from the first, that never respond. */
  hanging: number;
  eventsPerSecond: number;
  seconds: number;
}

/** Sends to the endpoints in turn over real sockets. Returns the p99 delay of the responsive endpoints in ms. */
export async function p99OfOthers({ endpoints, hanging, eventsPerSecond, seconds }: Load): Promise<number> {
  const server = createServer((request, response) => {
    const hangs = Number(request.url?.slice(1)) < hanging;
    request.resume().on('end', () => {
      if (!hangs) setTimeout(() => response.end('{"received":true}'), 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dispatcher = await createWebhookDispatcher({
    store: createMemoryStore(systemClock, { entries: 1_000_000 }).deliveries,
    clock: systemClock,
    random: Math.random,
    fetch: webhookFetch,
    version: 'test',
    concurrency: 256,
  });
  for (let n = 0; n < endpoints; n += 1) {
    const target = { type: 'site', id: `site_${n}` } as const;
    await dispatcher.endpoints.add(siteEndpoint({ url: `http://127.0.0.1:${port}/${n}`, target }));
  }

  const times: number[] = [];
  dispatcher.subscribe((change) => {
    if (change.type !== 'attempt' || change.delivery.state !== 'delivered') return;
    times.push((change.delivery.finishedAt ?? 0) - change.delivery.createdAt);
  });
  const events = eventsPerSecond * seconds;
  const toOthers = Array.from({ length: events }, (_, n) => n % endpoints).filter((n) => n >= hanging).length;
  const started = systemClock.now();
  for (let n = 0; n < events; n += 1) {
    const wait = started + (1000 * n) / eventsPerSecond - systemClock.now();
    if (wait > 0) await systemClock.sleep(wait);
    await dispatcher.enqueue(siteView(`evt_${n}`, `site_${n % endpoints}`));
  }
  for (let waited = 0; times.length < toOthers && waited < 20_000; waited += 100)
    await systemClock.sleep(100);
  server.close();
  server.closeAllConnections();
  await dispatcher.close();
  const sorted = times.toSorted((a, b) => a - b);
  // A request that has not arrived by now is slower than all that have.
  return sorted[Math.floor(toOthers * 0.99)] ?? Infinity;
}
