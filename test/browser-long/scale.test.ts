import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { picture, useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

it('scrolls through 10,000 entries, and draws only those in sight', { timeout: 180_000 }, async () => {
  const { platform } = console_;
  const total = 10_000;
  let sent = 0;
  const send = async (): Promise<void> => {
    while (sent < total) {
      sent += 1;
      await (await fetch(`${platform.endpoint}/hook?n=${sent}`, { method: 'POST', body: 'x' })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));

  page = await console_.open('events');
  const list = page.getByRole('listbox');
  const frames = await list.evaluate(async (element) => {
    const times: number[] = [];
    let most = 0;
    let last = performance.now();
    const settled = (): boolean => element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
    const started = performance.now();
    let still = 0;
    while (still < 30 && performance.now() - started < 60_000) {
      element.scrollTop += 1200;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      times.push(now - last);
      last = now;
      most = Math.max(most, element.querySelectorAll('[role=option]').length);
      still = settled() ? still + 1 : 0;
    }
    times.sort((a, b) => a - b);
    const at = (part: number): number => Math.round(times[Math.floor(times.length * part)] ?? 0);
    return {
      count: Number(element.querySelector('[role=option]')?.getAttribute('aria-setsize')),
      most,
      median: at(0.5),
      slow: at(0.95),
    };
  });
  console.log(
    `10,000 entries: a frame takes ${frames.median} ms, 95 % at most ${frames.slow} ms; ${frames.most} rows drawn`,
  );
  expect(frames.count).toBeGreaterThanOrEqual(total);
  expect(frames.most).toBeLessThan(60);
  expect(frames.median).toBeLessThan(40);

  await list.evaluate((element) => element.scrollTo(0, 30_000));
  const top = (): Promise<string | null> =>
    page.evaluate(() => document.elementFromPoint(420, 300)?.closest('[role=option]')?.id ?? null);
  await page.waitForTimeout(100);
  const reading = await top();
  for (let i = 0; i < 5; i += 1) await fetch(`${platform.endpoint}/hook?late=${i}`, { method: 'POST' });
  await expect
    .poll(() => list.getByRole('option').first().getAttribute('aria-setsize'))
    .not.toBe(String(frames.count));
  await page.waitForTimeout(200);
  expect(await top()).toBe(reading);
  await picture(page, 'events-many');
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
