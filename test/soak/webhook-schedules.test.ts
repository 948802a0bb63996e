import { expect, it } from 'vitest';
import { createBench, siteView } from '../webhooks/dispatcher-under-test.js';

it('keeps the retry delays of 10,000 deliveries within their range on a virtual clock', async () => {
  const { dispatcher, sent, pass } = await createBench(() => new Response(null, { status: 500 }), {
    concurrency: 100_000,
  });
  for (let i = 0; i < 10_000; i += 1) await dispatcher.enqueue(siteView(`evt_${i}`));
  await pass(60_000);
  const times = new Map<string, number[]>();
  for (const { at, body } of sent) times.set(body, [...(times.get(body) ?? []), at]);
  const gaps = [...times.values()].flatMap((requests) =>
    requests.slice(1).map((at, i) => (at - requests[i]!) / [1000, 2000, 4000][i]!),
  );
  const outside = gaps.filter((gap) => !(gap >= 1 && gap <= 1.1));
  console.log(
    `${gaps.length} gaps, ${outside.length} outside, from ${Math.min(...gaps)} to ${Math.max(...gaps)}`,
  );
  expect(gaps).toHaveLength(30_000);
  expect(outside).toEqual([]);
});
