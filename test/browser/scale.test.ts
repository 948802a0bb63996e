import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import type { TrafficLog } from '../../src/store/calls/call-log.js';
import type { DeliveryStore } from '../../src/webhooks/queue/delivery-store.js';
import { picture, useConsole } from '../support/console-page.js';

const total = 10_000;
const console_ = useConsole('console', [], async (folder) => {
  mkdirSync(join(folder, '.platform'), { recursive: true });
  const store = openStore({ file: join(folder, '.platform/state.db'), clock: systemClock });
  recordRequests(store.traffic);
  await insertDeliveries(store.deliveries);
  await store.close();
});
let page: Page;
afterEach(() => page.context().close());

const then = Date.UTC(2026, 0, 5);

/** As if somebody had called the integration all night. */
function recordRequests(traffic: TrafficLog): void {
  for (let i = 0; i < total; i += 1) {
    traffic.record({
      id: `call_${i}`,
      source: 'request',
      event: undefined,
      environment: undefined,
      time: then + i * 1000,
      version: 1,
      request: {
        method: 'POST',
        url: `http://127.0.0.1/v1/integrations/harbor-status/hook?n=${i}`,
        headers: [],
      },
      response: { status: 200, headers: [] },
      outcome: 'ok',
      durationMs: i % 90,
      requestBytes: 0,
      responseBytes: 0,
      logs: [],
      outbound: [],
    });
  }
}

async function insertDeliveries(deliveries: DeliveryStore): Promise<void> {
  await deliveries.putEndpoint({
    id: 'endpoint_1',
    installationId: 'installation_1',
    place: { type: 'site', id: 'site_local' },
    url: 'http://127.0.0.1:9/hook',
    events: ['site_view'],
    enabled: false,
    secret: 'whsec_of_the_night',
    createdAt: then,
  });
  await deliveries.insert(
    Array.from({ length: 2300 }, (_, i) => ({
      endpointId: 'endpoint_1',
      installationId: 'installation_1',
      eventId: `event_${i}`,
      eventType: 'site_view',
      body: new TextEncoder().encode('{}'),
      createdAt: then + i * 1000,
    })),
  );
}

it('scrolls through 10,000 entries, and draws only those in sight', async () => {
  const { platform } = console_;
  page = await console_.open('events');
  const list = page.getByRole('listbox');
  const frames = await list.evaluate(async (element, wanted) => {
    const times: number[] = [];
    let most = 0;
    let last = performance.now();
    const count = (): number =>
      Number(element.querySelector('[role=option]')?.getAttribute('aria-setsize') ?? 0);
    const atEnd = (): boolean => element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
    const started = last;
    while ((count() < wanted || !atEnd()) && last - started < 40_000) {
      element.scrollTop += 2400;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      times.push(now - last);
      last = now;
      most = Math.max(most, element.querySelectorAll('[role=option]').length);
    }
    times.sort((a, b) => a - b);
    const at = (part: number): number => Math.round(times[Math.floor(times.length * part)] ?? 0);
    return {
      count: count(),
      most,
      median: at(0.5),
      slow: at(0.95),
    };
  }, total);
  console.log(
    `10,000 entries: a frame takes ${frames.median} ms, 95 % at most ${frames.slow} ms; ${frames.most} rows drawn`,
  );
  expect(frames.count).toBeGreaterThanOrEqual(total);
  expect(frames.most).toBeLessThan(60);
  expect(frames.median).toBeLessThan(40);

  const atTop = (): Promise<string | null> =>
    page.evaluate(() => document.elementFromPoint(420, 300)?.closest('[role=option]')?.id ?? null);
  const before = await atTop();
  await list.evaluate((element) => element.scrollTo(0, 30_000));
  await expect.poll(atTop).toSatisfy((at) => at !== null && at !== before);
  const reading = await atTop();
  for (let i = 0; i < 5; i += 1) await fetch(`${platform.endpoint}/hook?late=${i}`, { method: 'POST' });
  await expect
    .poll(() => list.getByRole('option').first().getAttribute('aria-setsize'))
    .toBe(String(frames.count + 5));
  expect(await atTop()).toBe(reading);
  await picture(page, 'events-many');
});

it('reads all deliveries, a page at a time', async () => {
  page = await console_.open('webhooks');
  const list = page.getByRole('listbox', { name: /Deliveries/ });
  const setSize = (): Promise<string | null> => list.getByRole('option').first().getAttribute('aria-setsize');
  expect(await setSize()).toBe('500');
  for (const size of ['1000', '1500', '2000', '2300']) {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(setSize).toBe(size);
  }
  const last = list.getByRole('option').last();
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(() => last.getAttribute('aria-posinset')).toBe('2300');
});

it('paints within 300 ms after the first load', async () => {
  page = await console_.open();
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    times.push(await page.evaluate(firstPaint));
  }
  times.sort((a, b) => a - b);
  console.log(`first paint: median ${Math.round(times[3] ?? 0)} ms of ${times.map(Math.round).join(', ')}`);
  expect(times[3]).toBeLessThan(300);
});

it('weighs at most 120 KB', () => {
  const sizes = ['index.html', 'app.js', 'app.css'].map(
    (name) =>
      gzipSync(readFileSync(fileURLToPath(new URL(`../../dist/console/${name}`, import.meta.url)))).length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`the console is ${(total / 1024).toFixed(1)} KB, gzipped`);
  expect(total).toBeLessThan(120 * 1024);
});

const firstPaint = (): Promise<number> =>
  new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') resolve(startTime);
    }).observe({ type: 'paint', buffered: true });
  });
