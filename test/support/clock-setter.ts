import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookFetch } from '../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../src/webhooks/dispatcher.js';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';

/** A separate process whose clock jumps by `jumpMs` while a delivery waits for its second request. */
export interface ClockTask {
  file: string;
  jumpMs: number;
}

const { file, jumpMs } = JSON.parse(process.argv[2] ?? '{}') as ClockTask;

const realNow = Date.now;
const realTimeout = globalThis.setTimeout;
let timers = 0;

async function main(): Promise<void> {
  const times: number[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      times.push(performance.now());
      if (times.length === 1) Date.now = () => realNow() + jumpMs;
      response.writeHead(times.length < 3 ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  globalThis.setTimeout = ((...args: Parameters<typeof realTimeout>) => {
    timers += 1;
    return realTimeout(...args);
  }) as typeof realTimeout;

  const store = openStore({ file, clock: systemClock });
  const dispatcher = await createWebhookDispatcher({
    store: store.deliveries,
    clock: systemClock,
    random: () => 0,
    fetch: webhookFetch,
    version: 'test',
  });
  const { port } = server.address() as AddressInfo;
  await dispatcher.endpoints.add(siteEndpoint({ url: `http://127.0.0.1:${port}/` }));
  const waiting = new AbortController();
  const longWait = systemClock.sleepUntil(realNow() + 80 * 86_400_000, waiting.signal).catch(() => undefined);
  const delivered = new Promise<void>((resolve) =>
    dispatcher.subscribe((change) => {
      if (change.type === 'attempt' && change.delivery.state === 'delivered') resolve();
    }),
  );
  await dispatcher.enqueue(siteView('evt_1'));
  await delivered;
  waiting.abort();
  await longWait;
  await dispatcher.close();
  await store.close();
  server.close();
  server.closeAllConnections();
  const [first = 0, second = 0, third = 0] = times;
  const numbers = [second - first, third - second, timers].map(Math.round);
  for (const number of numbers) process.stdout.write(`ack ${number}\n`);
}

void main();
