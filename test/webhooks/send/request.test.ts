import { expect, it } from 'vitest';
import { verifySignature } from '../../../src/protocol/signature.js';
import type { DeliveryChange } from '../../../src/webhooks/dispatcher.js';
import { createBench, hang, siteView } from '../dispatcher-under-test.js';

const ok = (): Response => Response.json({ received: true });

it('sends a signed POST request with the event and its own timestamp', async () => {
  const { dispatcher, endpoint, sent, pass } = await createBench(() => new Response(null, { status: 503 }));
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(10_000);
  expect(sent).toHaveLength(4);
  for (const { at, headers, body, url } of sent) {
    const header = headers.get('X-Platform-Signature') ?? '';
    expect(url).toBe('http://receiver.test/hook');
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Platform-Webhook/1.2.3',
      'x-platform-signature': header,
    });
    expect(header).toMatch(new RegExp(`^t=${Math.floor(at / 1000)},v1=[0-9a-f]{64}$`));
    expect(await verifySignature(body, header, endpoint.secret)).toBe(true);
    expect(body).toBe(JSON.stringify(siteView('evt_1')));
  }
  const [delivery] = await dispatcher.deliveries.list();
  const details = await dispatcher.deliveries.get(delivery?.id ?? '');
  expect(details?.attempts.map(({ request }) => request)).toEqual(
    sent.map(({ url, headers }) => ({
      url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Platform-Webhook/1.2.3',
        'X-Platform-Signature': headers.get('X-Platform-Signature'),
      },
    })),
  );
});

it('signs a request again when it is resent manually', async () => {
  const { dispatcher, endpoint, clock, pass } = await createBench(ok);
  const [delivery] = await dispatcher.enqueue(siteView('evt_1'));
  await pass(3_600_000);
  const sign = () => dispatcher.deliveries.sign(delivery?.id ?? '');
  const { url, headers, body } = await sign();
  const header = headers['X-Platform-Signature'];
  const age = { toleranceSeconds: 1, now: clock.now() };
  expect(url).toBe(endpoint.url);
  expect(await verifySignature(body, header, endpoint.secret, age)).toBe(true);
  await expect(dispatcher.deliveries.sign('dlv_9')).rejects.toMatchObject({ code: 'unknown-delivery' });
  await dispatcher.endpoints.remove(endpoint.id);
  await expect(sign()).rejects.toMatchObject({ code: 'unknown-endpoint' });
});

it('signs a request with both secrets for a day after a rotation', async () => {
  const { dispatcher, endpoint, sent, pass } = await createBench(ok);
  const { secret } = await dispatcher.endpoints.rotateSecret(endpoint.id);
  expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  expect(secret).not.toBe(endpoint.secret);
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(24 * 3_600_000 - 1);
  await dispatcher.enqueue(siteView('evt_2'));
  await pass(1);
  await dispatcher.enqueue(siteView('evt_3'));
  await pass(0);
  const checks = sent.map(async ({ headers, body }) => {
    const header = headers.get('X-Platform-Signature');
    return [
      await verifySignature(body, header, secret),
      await verifySignature(body, header, endpoint.secret),
    ];
  });
  expect(await Promise.all(checks)).toEqual([
    [true, true],
    [true, true],
    [true, false],
  ]);
});

it('ends a request after ten seconds without a complete response', async () => {
  const { dispatcher, clock, sent } = await createBench((_, signal) => hang(signal));
  const outcomes: DeliveryChange[] = [];
  dispatcher.subscribe((change) => outcomes.push(change));
  await dispatcher.enqueue(siteView('evt_1'));
  while (sent.length < 1) await new Promise(setImmediate);
  await clock.advance(9_999);
  expect(outcomes.map(({ type }) => type)).toEqual(['queued']);
  await clock.advance(1);
  expect(outcomes).toMatchObject([
    { type: 'queued' },
    {
      type: 'attempt',
      delivery: { state: 'retrying', attempts: 1 },
      attempt: { number: 1, durationMs: 10_000, result: { kind: 'error', error: 'timeout' } },
    },
  ]);
});

it('reads at most 64 KiB of a response and keeps the beginning', async () => {
  let read = 0;
  const endless = (): Response =>
    new Response(
      new ReadableStream(
        {
          pull(controller) {
            read += 1024;
            controller.enqueue(new Uint8Array(1024).fill(120));
          },
        },
        { highWaterMark: 0 },
      ),
    );
  const { dispatcher, pass } = await createBench(endless);
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(0);
  expect(read).toBe(64 * 1024);
  const details = await dispatcher.deliveries.get('dlv_1');
  expect(details?.delivery.state).toBe('delivered');
  expect(details?.attempts[0]?.result).toEqual({
    kind: 'answer',
    status: 200,
    body: new Uint8Array(4096).fill(120),
  });
});
