import { expect, it } from 'vitest';
import { decide } from '../../src/webhooks/send/retry-schedule.js';
import { amount } from '../support/proved.js';
import { createBench, siteView } from './dispatcher-under-test.js';

const answer = (status: number) => ({ kind: 'answer', status, body: new Uint8Array() }) as const;
const error = { kind: 'error', error: 'timeout', message: '' } as const;

it.each([
  [0, 0, 1000],
  [0, 0.5, 1050],
  [1, 0, 2000],
  [1, 0.5, 2100],
  [2, 0.25, 4100],
])('after %d attempts and with the random value %d, waits %d ms', (before, drawn, delayMs) => {
  for (const result of [answer(500), answer(503), answer(599), answer(429), error]) {
    expect(decide(result, before, () => drawn)).toEqual({ state: 'retrying', delayMs });
  }
});

it('uses a new random number for each gap between requests, and keeps each gap within its range', async () => {
  const count = amount(100, 10_000);
  const { dispatcher, sent, pass } = await createBench(() => new Response(null, { status: 500 }), {
    concurrency: 100_000,
  });
  for (let i = 0; i < count; i += 1) await dispatcher.enqueue(siteView(`evt_${i}`));
  await pass(60_000);
  const times = new Map<string, typeof sent>();
  for (const request of sent) times.set(request.body, [...(times.get(request.body) ?? []), request]);
  expect(times.size).toBe(count);
  const gaps = [...times.values()].map((requests) =>
    requests.slice(1).map(({ at }, i) => (at - requests[i]!.at) / [1000, 2000, 4000][i]!),
  );
  expect(gaps.filter((three) => three.length !== 3)).toEqual([]);
  expect(gaps.flat().filter((gap) => !(gap >= 1 && gap <= 1.1))).toEqual([]);
  expect(new Set(gaps.flat()).size).toBeGreaterThan(count * 2);
});
