import { expect, it } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createBench, hang, siteView, start } from './dispatcher-under-test.js';

const day = 86_400_000;
const jumps: [string, number][] = [
  ['back a day', -day],
  ['back 40 days', -40 * day],
  ['forward a day', day],
  ['forward 40 days', 40 * day],
];

it.each(jumps)('retries after 1, 2 and 4 s even if the clock is set %s each time', async (_, jump) => {
  const { dispatcher, sent, clock, pass } = await createBench(() => new Response(null, { status: 500 }), {
    random: () => 0,
  });
  const times: number[] = [];
  dispatcher.subscribe((change) => {
    if (change.type === 'attempt') times.push(clock.monotonic() - start);
  });
  await dispatcher.enqueue(siteView('evt_1'));
  for (const requests of [1, 2, 3, 4]) {
    while (sent.length < requests) await pass(100);
    await clock.jump(jump);
  }
  await pass(60_000);
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(gaps).toEqual([1000, 2000, 4000]);
  const seconds = sent.map(({ at, headers }) => [
    headers.get('x-platform-signature')?.startsWith(`t=${Math.floor(at / 1000)},`),
  ]);
  expect(seconds).toEqual([[true], [true], [true], [true]]);
});

it.each(jumps)('stops waiting for a response after 10 s even if the clock is set %s', async (_, jump) => {
  const { dispatcher, clock, sent } = await createBench((_, signal) => hang(signal));
  await dispatcher.enqueue(siteView('evt_1'));
  while (sent.length < 1) await new Promise(setImmediate);
  await clock.jump(jump);
  await clock.advance(9999);
  expect((await dispatcher.deliveries.get('dlv_1'))?.attempts).toEqual([]);
  await clock.advance(1);
  await expect
    .poll(async () => (await dispatcher.deliveries.get('dlv_1'))?.attempts)
    .toMatchObject([{ durationMs: 10_000, result: { kind: 'error', error: 'timeout' } }]);
});

it('stops waiting for a response, and closes, while the clock is frozen', async () => {
  const timers = createVirtualClock();
  const { dispatcher, sent } = await createBench((_, signal) => hang(signal), { timers });
  await dispatcher.enqueue(siteView('evt_1'));
  await expect.poll(() => sent).toHaveLength(1);
  await timers.advance(10_000);
  await expect
    .poll(async () => (await dispatcher.deliveries.get('dlv_1'))?.attempts)
    .toMatchObject([{ durationMs: 10_000, result: { kind: 'error', error: 'timeout' } }]);

  await dispatcher.enqueue(siteView('evt_2'));
  await expect.poll(() => sent).toHaveLength(2);
  const closing = dispatcher.close({ patienceMs: 1000 });
  await timers.advance(1000);
  await closing;
});

it.each(jumps)('sends new events immediately after the clock is set %s', async (_, jump) => {
  const { dispatcher, sent, clock, pass } = await createBench(() => new Response('ok'));
  await clock.jump(jump);
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(0);
  expect(sent).toHaveLength(1);
});
