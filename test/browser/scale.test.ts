import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open-store.js';
import type { CallLog } from '../../src/store/calls/call-log.js';
import type { DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import { useConsole } from '../support/console-page.js';
import { amount } from '../support/proved.js';

const total = amount(1900, 10_000);
const rounds = amount(1, 7);
/** A bound that only an otherwise idle machine keeps. */
const idle = (most: number): number => amount(Infinity, most);
const median = (times: number[]): number => times.toSorted((a, b) => a - b)[(rounds - 1) / 2] ?? NaN;
const console_ = useConsole('console', [], async (folder) => {
  mkdirSync(join(folder, '.platform'), { recursive: true });
  const store = openStore({ file: join(folder, '.platform/state.db'), clock: systemClock });
  recordRequests(store.callLog);
  await insertDeliveries(store.deliveries);
  await store.close();
});
let page: Page;

declare global {
  interface Window {
    emit: (type: string, call: object) => void;
  }
}
afterEach(() => page.context().close());

const then = Date.UTC(2026, 0, 5);

/** Simulates a night of calls. */
function recordRequests(callLog: CallLog): void {
  for (let i = 0; i < total; i += 1) {
    callLog.record({
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
    target: { type: 'site', id: 'site_local' },
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

/** Scrolls from the top for this number of frames. Without overflow, it only counts frames. */
const frameTimes = (list: Locator, count: number): Promise<{ median: number; slow: number; rows: number }> =>
  list.evaluate(async (element, wanted) => {
    const times: number[] = [];
    let rows = 0;
    element.scrollTop = 0;
    await new Promise(requestAnimationFrame);
    let last = performance.now();
    while (times.length < wanted) {
      element.scrollTop += 2400;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      times.push(now - last);
      last = now;
      rows = Math.max(rows, element.querySelectorAll('[role=option]').length);
    }
    times.sort((one, other) => one - other);
    const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;
    return { median: at(0.5), slow: at(0.95), rows };
  }, count);

/** The smoothest of three rounds, because other processes can only slow frames down. */
async function calmFrameTimes(list: Locator): ReturnType<typeof frameTimes> {
  const rounds = [await frameTimes(list, 100), await frameTimes(list, 100), await frameTimes(list, 100)];
  const [calmest] = rounds.toSorted((one, other) => one.median - other.median);
  return calmest as (typeof rounds)[number];
}

/** The memory still in use, in MB. */
async function heapAfterCollection(): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

it('scrolls through thousands of calls as smoothly as through an empty list, and renders only visible ones', async () => {
  const { platform } = console_;
  page = await console_.open('calls');
  const list = page.getByRole('listbox');
  const setSize = async (): Promise<number> =>
    Number(await list.getByRole('option').first().getAttribute('aria-setsize'));
  for (let known = 0; known < total; known = await setSize()) {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(setSize).toBeGreaterThan(known);
  }
  const count = await setSize();
  const full = await calmFrameTimes(list);
  const heap = await heapAfterCollection();
  const atTop = (): Promise<string | null> =>
    page.evaluate(() => document.elementFromPoint(420, 300)?.closest('[role=option]')?.id ?? null);
  const before = await atTop();
  await list.evaluate((element) => element.scrollTo(0, 30_000));
  await expect.poll(atTop).toSatisfy((at) => at !== null && at !== before);
  const reading = await atTop();
  for (let i = 0; i < 5; i += 1) await fetch(`${platform.endpoint}/hook?late=${i}`, { method: 'POST' });
  await expect
    .poll(() => list.getByRole('option').first().getAttribute('aria-setsize'))
    .toBe(String(count + 5));
  expect(await atTop()).toBe(reading);

  const search = page.getByRole('searchbox').first();
  await search.fill('no call contains this');
  await page.getByText('No matches').waitFor();
  const empty = await calmFrameTimes(page.locator('.entries-list'));
  const show = ({ median, slow }: typeof full): string =>
    `${median.toFixed(1)} ms (p95 ${slow.toFixed(1)} ms)`;
  console.log(
    `${total} entries: a frame takes ${show(full)}, of an empty list ${show(empty)}; ` +
      `${full.rows} rows drawn; JavaScript heap ${heap.toFixed(1)} MB`,
  );
  expect(full.rows).toBeLessThan(60);
  expect(full.median / empty.median).toBeLessThanOrEqual(idle(1.5));
  expect(heap).toBeLessThan(30);
});

it('loads all deliveries one page at a time', async () => {
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

it('renders the call list within 300 ms after a page reload', async () => {
  page = await console_.open();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    times.push(await page.evaluate(firstPaint));
  }
  console.log(`first paint: median ${Math.round(median(times))} ms of ${times.map(Math.round).join(', ')}`);
  expect(median(times)).toBeLessThan(idle(300));
});

it('lists the first of thousands of calls within 600 ms, and supports navigation with the keyboard', async () => {
  page = await console_.open('calls');
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.reload();
    await page.waitForFunction(() => document.querySelector('[role=option]'));
    times.push(await page.evaluate(() => performance.now()));
    await page.keyboard.press('j');
    await page.getByRole('option', { selected: true }).waitFor();
    await page.goBack();
  }
  console.log(`first calls: median ${Math.round(median(times))} ms of ${times.map(Math.round).join(', ')}`);
  expect(median(times)).toBeLessThan(idle(600));
});

it('shows 200 new calls a second, using less than half of the main thread’s time', async () => {
  page = await console_.open('calls', { first: openStream });
  const list = page.getByRole('listbox');
  const setSize = () => list.getByRole('option').first().getAttribute('aria-setsize');
  await expect.poll(setSize).toBe('500');
  const [template] = await console_.platform.api<object[]>('GET', '/calls?limit=1');
  const session = await page.context().newCDPSession(page);
  // The time of the page's own thread, so that other processes do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
  };
  const before = await busy();
  const longest = await page.evaluate(receiveCalls, { template, count: 1000, perSecond: 200 });
  await expect.poll(setSize).toBe('1500');
  const used = (await busy()) - before;
  console.log(
    `200 calls a second: the page is busy for ${Math.round(used * 20)}% of the time, longest task ${Math.round(longest)} ms`,
  );
  expect(used / 5).toBeLessThan(0.5);
});

function openStream(): void {
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const response = await send(input, init);
    if (!new Request(input).url.endsWith('/stream')) return response;
    const encoder = new TextEncoder();
    const decoder = new TextDecoder();
    // The page accepts only events of this session.
    let id = '';
    const extended = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        [, id = id] = /^id: (\S+)/m.exec(decoder.decode(chunk)) ?? [];
        controller.enqueue(chunk);
      },
      start(controller) {
        window.emit = (type, call) =>
          controller.enqueue(
            encoder.encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ call })}\n\n`),
          );
      },
    });
    return new Response(response.body?.pipeThrough(extended), response);
  };
}

/** Runs in the page. Each call starts and ends. Returns the length of the longest task. */
async function receiveCalls(options: {
  template: object | undefined;
  count: number;
  perSecond: number;
}): Promise<number> {
  const { template, count, perSecond } = options;
  let longest = 0;
  new PerformanceObserver((tasks) => {
    for (const { duration } of tasks.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'longtask' });
  const began = performance.now();
  for (let sent = 0; sent < count;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const call = { ...template, id: `call_burst_${sent}`, time: Date.now() };
      window.emit('call-started', { ...call, outcome: 'running' });
      window.emit('call-finished', call);
    }
  }
  return longest;
}

it('searches thousands of calls within 200 ms', async () => {
  const { platform } = console_;
  const times: number[] = [];
  for (const search of ['hook?n=77', 'n=9999', 'no call contains this', 'call_4', 'POST']) {
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const before = performance.now();
      await platform.api('GET', `/calls?limit=500&search=${encodeURIComponent(search)}`);
      rounds.push(performance.now() - before);
    }
    // Other processes can only slow a search down.
    times.push(Math.min(...rounds));
  }
  console.log(`search in ${total} calls, best of 3: ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  expect(Math.max(...times)).toBeLessThan(idle(200));
});

it('transfers at most 140 KB of compressed data to open the console', async () => {
  const { consoleOrigin } = console_.platform;
  const sizeOf = async (path: string): Promise<number> => {
    const response = await sent(`${consoleOrigin}/console/${path}`);
    expect([path, response.encoding]).toEqual([path, path === '' ? undefined : 'gzip']);
    return response.bytes;
  };
  const sizes = await Promise.all(['', 'app.js', 'chunk.js', 'later.js', 'app.css'].map(sizeOf));
  const sum = sizes.reduce((all, size) => all + size, 0);
  console.log(`the console is ${(sum / 1024).toFixed(1)} KB, gzipped`);
  expect(sum).toBeLessThan(140 * 1024);
});

it('loads at most 75 KB of compressed scripts for its first view', async () => {
  const sizeOf = async (file: string): Promise<number> => {
    const { bytes, encoding } = await sent(`${console_.platform.consoleOrigin}/console/${file}`, 'br');
    expect(encoding).toBe('br');
    return bytes;
  };
  const [first = 0, shared = 0, later = 0] = await Promise.all(
    ['app.js', 'chunk.js', 'later.js'].map(sizeOf),
  );
  const kb = (bytes: number): string => (bytes / 1000).toFixed(1);
  console.log(
    `the first view needs ${kb(first + shared)} KB of scripts, with brotli; ${kb(later)} KB follow`,
  );
  expect(first + shared).toBeLessThan(75_000);
});

/** The transferred bytes. `fetch` would decompress them. */
const sent = (url: string, accepted = 'gzip'): Promise<{ encoding: string | undefined; bytes: number }> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': accepted } }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.byteLength));
      response.on('end', () => resolve({ encoding: response.headers['content-encoding'], bytes }));
    }).on('error', reject);
  });

const firstPaint = (): Promise<number> =>
  new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') resolve(startTime);
    }).observe({ type: 'paint', buffered: true });
  });
