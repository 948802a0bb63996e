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
