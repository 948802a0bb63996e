import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';

/** A separate process that fills a queue, or processes the beginning of one and reports its memory use. */
export interface WeigherTask {
  file: string;
  fill?: number;
  drain?: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as WeigherTask;
const megabytes = (): number => Math.round(process.memoryUsage().rss / 1024 / 1024);

async function fill(count: number): Promise<void> {
  const store = openStore({ file: task.file, clock: systemClock });
  const endpoints = await store.deliveries.endpoints();
  const encoder = new TextEncoder();
  for (let from = 0; from < count; from += 5000) {
    await store.deliveries.insert(
      Array.from({ length: Math.min(5000, count - from) }, (_, n) => ({
        endpointId: endpoints[(from + n) % endpoints.length]?.id ?? '',
        installationId: 'ins',
        eventId: `evt_${from + n}`,
        eventType: 'site_view',
        body: encoder.encode(JSON.stringify(siteView(`evt_${from + n}`))),
        createdAt: systemClock.now(),
      })),
    );
  }
  await store.close();
}

async function listen(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"received":true}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function drain(count: number): Promise<void> {
  const receiver = await listen();
  const store = openStore({ file: task.file, clock: systemClock });
  const began = performance.now();
  const dispatcher = await createWebhookDispatcher({
    store: store.deliveries,
    clock: systemClock,
    random: Math.random,
    fetch: webhookFetch,
    version: 'test',
    concurrency: 64,
  });
  if (dispatcher.endpoints.list().length === 0) {
    for (let n = 0; n < 100; n += 1) await dispatcher.endpoints.add(siteEndpoint({ url: receiver.url }));
  }
  // Deliveries queued by an earlier process wait until their endpoints have this receiver's URL.
  const readyMs = Math.round(performance.now() - began);
  for (const { id } of dispatcher.endpoints.list())
    await dispatcher.endpoints.update(id, { url: receiver.url });
  if (count === 0) await dispatcher.pause('ins');

  let delivered = 0;
  let peak = megabytes();
  const started = performance.now();
  if (count > 0) {
    const enough = new Promise<void>((resolve) =>
      dispatcher.subscribe(() => {
        delivered += 1;
        if (delivered % 100 === 0) peak = Math.max(peak, megabytes());
        if (delivered === count) resolve();
      }),
    );
    await dispatcher.resume('ins');
    await enough;
  }
  const perSecond = Math.round(count / ((performance.now() - started) / 1000));
  await dispatcher.close();
  const backlogStarted = performance.now();
  const { pending } = await store.deliveries.backlog();
  const backlogMs = Math.round(performance.now() - backlogStarted);
  await store.close();
  receiver.close();
  process.stdout.write(`${JSON.stringify({ pending, readyMs, perSecond, peak, backlogMs })}\n`);
}

void (task.fill === undefined ? drain(task.drain ?? 0) : fill(task.fill));
