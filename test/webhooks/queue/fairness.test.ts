import { expect, it } from 'vitest';
import { createBench, hang, siteEndpoint, siteView, start, type Bench } from '../dispatcher-under-test.js';

const hanging = 100;
const others = 900;
const each = 2;

const urlOf = (index: number): string => `http://receiver-${index}.test/`;

/** 1,000 endpoints; those below `hanging` hang once `mayHang` says so. */
async function openMany(mayHang: () => boolean): Promise<Bench> {
  const bench = await createBench(({ url }, signal) =>
    mayHang() && Number(/\d+/.exec(url)) < hanging ? hang(signal) : new Response('ok'),
  );
  for (let i = 0; i < hanging + others; i += 1) {
    await bench.dispatcher.endpoints.add(
      siteEndpoint({ url: urlOf(i), target: { type: 'site', id: `site_${i}` } }),
    );
  }
  return bench;
}

async function enqueue({ dispatcher }: Bench, from: number, to: number, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    for (let i = from; i < to; i += 1) await dispatcher.enqueue(siteView(`evt_${n}_${i}`, `site_${i}`));
  }
}

/** Waits, without any time passing on the clock, until the others have all they were sent. */
async function othersServed({ sent, clock }: Bench, count: number): Promise<void> {
  const served = (): number => sent.filter(({ url }) => Number(/\d+/.exec(url)) >= hanging).length;
  while (served() < count) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(`${count} requests to the others, the last ${clock.now() - start} ms after it was queued`);
  expect(clock.now()).toBe(start);
}

it('serves 900 endpoints immediately even if 100 others hang from the start', async () => {
  const bench = await openMany(() => true);
  await enqueue(bench, 0, hanging, 5);
  await enqueue(bench, hanging, hanging + others, each);
  await othersServed(bench, others * each);
});

it('keeps serving 900 endpoints without delay when 100 previously fast endpoints start to hang', async () => {
  let late = false;
  const bench = await openMany(() => late);
  await enqueue(bench, 0, hanging, 5);
  await bench.dispatcher.idle();
  late = true;
  await enqueue(bench, 0, hanging, 5);
  await enqueue(bench, hanging, hanging + others, each);
  await othersServed(bench, others * each);
});

it('sends one request at a time to a hanging endpoint and retries it later', async () => {
  let hangs = true;
  const { dispatcher, sent, clock, pass } = await createBench((_, signal) =>
    hangs ? hang(signal) : new Response('ok'),
  );
  for (let i = 0; i < 50; i += 1) await dispatcher.enqueue(siteView(`evt_${i}`));
  while (sent.length < 1) await new Promise(setImmediate);
  await clock.advance(10_000);
  while (sent.length < 2) await new Promise(setImmediate);
  expect(sent).toHaveLength(2);
  hangs = false;
  await clock.advance(10_000);
  await pass(60_000);
  expect(await dispatcher.deliveries.backlog()).toEqual({ pending: 0, retrying: 0, inFlight: 0 });
  expect(sent).toHaveLength(52);
});

it('no longer counts a request toward the shared limit after a second without a response', async () => {
  const { dispatcher, sent, clock } = await createBench(
    ({ url }, signal) => (url === urlOf(3) ? new Response('ok') : hang(signal)),
    { concurrency: 2 },
  );
  for (const n of [1, 2, 3]) {
    const target = { type: 'site', id: `site_${n}` } as const;
    await dispatcher.endpoints.add(siteEndpoint({ url: urlOf(n), target }));
  }
  await dispatcher.enqueue(siteView('evt_1', 'site_1'));
  await dispatcher.enqueue(siteView('evt_2', 'site_2'));
  while (sent.length < 2) await new Promise(setImmediate);
  await dispatcher.enqueue(siteView('evt_3', 'site_3'));
  await clock.advance(999);
  expect(sent.map(({ url }) => url)).toEqual([urlOf(1), urlOf(2)]);
  await clock.advance(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent.map(({ url }) => url)).toEqual([urlOf(1), urlOf(2), urlOf(3)]);
});
