import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { webhookFetch } from '../../../src/emulator/webhook-fetch.js';
import { systemClock } from '../../../src/base/clock.js';
import { openStore } from '../../../src/store/open-store.js';
import { createWebhookDispatcher } from '../../../src/webhooks/dispatcher.js';
import type { WebhookFetch } from '../../../src/webhooks/send/send-request.js';
import { siteEndpoint, siteView } from '../../webhooks/dispatcher-under-test.js';
import { median } from '../paired.js';
import type { Row } from '../row.js';

const count = 3000;
const concurrency = 64;
const rounds = 15;

const receiver = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('Content-Type', 'application/json').end('{"received":true}'));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

const abreast = async (one: (n: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
};

type Send = (
  url: string,
  init: Omit<Parameters<WebhookFetch>[1], 'signal'>,
) => Promise<{ body: AsyncIterable<Uint8Array> | null }>;

const ownClient: Send = (url, init) => webhookFetch(url, { ...init, signal: new AbortController().signal });

/** Sends the same POSTs in a bare loop. */
async function bare(url: string, send: Send): Promise<number> {
  const started = performance.now();
  await abreast(async (n) => {
    const { body } = await send(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Platform-Signature': `t=1,v1=${'0'.repeat(64)}` },
      body: new TextEncoder().encode(JSON.stringify(siteView(`evt_${n}`))),
      redirect: 'manual',
    });
    for await (const piece of body ?? []) void piece;
  });
  return count / ((performance.now() - started) / 1000);
}

/** Each delivery is queued on disk before the next of its kind, sent, and its outcome stored on disk. */
async function durable(url: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  const store = openStore({ file: join(folder, 'state.db'), clock: systemClock });
  const dispatcher = await createWebhookDispatcher({
    store: store.deliveries,
    clock: systemClock,
    random: Math.random,
    fetch: webhookFetch,
    version: 'bench',
    concurrency,
    perEndpoint: concurrency,
  });
  await dispatcher.endpoints.add(siteEndpoint({ url }));
  const started = performance.now();
  let delivered = 0;
  const all = new Promise<void>((resolve) =>
    dispatcher.subscribe((change) => {
      if (change.type !== 'attempt') return;
      delivered += 1;
      if (delivered === count) resolve();
    }),
  );
  await abreast((n) => dispatcher.enqueue(siteView(`evt_${n}`)));
  await all;
  const rate = count / ((performance.now() - started) / 1000);
  await dispatcher.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return rate;
}

type Rates = Record<'fetch' | 'durable' | 'ownClient', number>;

export const webhookRows: Row[] = [
  {
    what: 'webhook deliveries, durable, against a bare loop of the same POSTs',
    reach: { atLeast: 60 },
    async measure() {
      const child = spawn(process.execPath, ['-e', receiver], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      const url = `http://127.0.0.1:${Number(port.toString())}/`;
      const runs: Rates[] = [];
      for (let run = -1; run < rounds; run += 1) {
        const rates = {
          fetch: await bare(url, fetch),
          durable: await durable(url),
          ownClient: await bare(url, ownClient),
        };
        if (run >= 0) runs.push(rates);
      }
      child.kill();
      const rate = (kind: keyof Rates): string => `${Math.round(median(runs.map((run) => run[kind])))}/s`;
      const share = (of: keyof Rates): number => 100 * median(runs.map((run) => run.durable / run[of]));
      return {
        value: share('fetch'),
        unit: '%',
        detail: `${rate('durable')} against ${rate('fetch')} with fetch; ${Math.round(share('ownClient'))} % of ${rate('ownClient')} with the client that deliveries use`,
      };
    },
  },
];
