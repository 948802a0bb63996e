import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createMemoryStore } from '../../../src/store/store.js';
import { createBench, hang, siteEndpoint, siteView, start } from '../dispatcher-under-test.js';

const ok = (): Response => Response.json({ received: true });

it('sends a queued event to the endpoints of its target that subscribe to it', async () => {
  const { dispatcher, sent, pass } = await createBench(ok);
  const add = dispatcher.endpoints.add;
  await add(siteEndpoint({ url: 'http://feedback.test/', events: ['page_feedback'] }));
  await add(siteEndpoint({ url: 'http://other-site.test/', target: { type: 'site', id: 'other' } }));
  await add(siteEndpoint({ url: 'http://other-installation.test/', installationId: 'other' }));
  await add(siteEndpoint({ url: 'http://both.test/', events: ['site_view', 'page_feedback'] }));
  const space = { type: 'space', id: 'site' } as const;
  await add(siteEndpoint({ url: 'http://space.test/', target: space, events: ['space_content_updated'] }));
  expect(await dispatcher.enqueue(siteView('evt_1'))).toHaveLength(2);
  await pass(0);
  expect(sent.map(({ url }) => url).toSorted()).toEqual(['http://both.test/', 'http://receiver.test/hook']);
});

it('holds back a queued event while its endpoint is disabled, and queues no new ones', async () => {
  const { dispatcher, endpoint, sent, pass } = await createBench(() =>
    sent.length === 1 ? new Response(null, { status: 500 }) : ok(),
  );
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(500);
  await dispatcher.endpoints.update(endpoint.id, { enabled: false });
  expect(await dispatcher.enqueue(siteView('evt_2'))).toEqual([]);
  await expect(dispatcher.endpoints.ping(endpoint.id)).rejects.toMatchObject({ code: 'endpoint-disabled' });
  await pass(60_000);
  expect(sent).toHaveLength(1);
  expect(await dispatcher.deliveries.backlog()).toMatchObject({ pending: 0, retrying: 1, inFlight: 0 });
  await dispatcher.endpoints.update(endpoint.id, { enabled: true });
  await pass(0);
  expect(sent).toHaveLength(2);
});

it('holds back a queued event while its installation is paused, even after a restart', async () => {
  const { dispatcher, sent, pass, clock } = await createBench(ok);
  await dispatcher.pause('ins');
  expect(await dispatcher.enqueue(siteView('evt_1'))).toHaveLength(1);
  await pass(60_000);
  expect(sent).toHaveLength(0);
  expect(clock.waiting().count).toBe(0);
  await dispatcher.resume('ins');
  await pass(0);
  expect(sent).toHaveLength(1);
});

it('fails a queued event when its endpoint is removed', async () => {
  const { dispatcher, endpoint, sent, pass, clock } = await createBench((_, signal) => hang(signal));
  await dispatcher.enqueue(siteView('evt_1'));
  await dispatcher.enqueue(siteView('evt_2'));
  while (sent.length < 1) await new Promise(setImmediate);
  await dispatcher.endpoints.remove(endpoint.id);
  expect((await dispatcher.deliveries.get('dlv_2'))?.delivery.state).toBe('failed');
  await clock.advance(10_000);
  await pass(60_000);
  expect((await dispatcher.deliveries.get('dlv_1'))?.delivery).toMatchObject({
    state: 'failed',
    attempts: 1,
  });
  expect(sent).toHaveLength(1);
  expect(await dispatcher.deliveries.backlog()).toEqual({ pending: 0, retrying: 0, inFlight: 0 });
  await expect(dispatcher.deliveries.resend('dlv_1')).rejects.toMatchObject({ code: 'unknown-endpoint' });
});

it('sends a queued event again with the same event id and body', async () => {
  const { dispatcher, sent, pass } = await createBench(() => new Response(null, { status: 404 }));
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(60_000);
  const again = await dispatcher.deliveries.resend('dlv_1');
  expect(again).toMatchObject({ id: 'dlv_2', eventId: 'evt_1', resentFrom: 'dlv_1' });
  await pass(60_000);
  expect(sent.map(({ body }) => body)).toEqual(
    [siteView('evt_1'), siteView('evt_1')].map((e) => JSON.stringify(e)),
  );
  await expect(dispatcher.deliveries.resend('dlv_9')).rejects.toMatchObject({ code: 'unknown-delivery' });
});

it('retries a queued event without waiting', async () => {
  const { dispatcher, sent, pass } = await createBench(() => new Response(null, { status: 500 }));
  await dispatcher.enqueue(siteView('evt_1'));
  await pass(0);
  for (const requests of [2, 3, 4]) {
    expect(await dispatcher.deliveries.skipWait('dlv_1')).toBe(true);
    await pass(0);
    expect(sent).toHaveLength(requests);
  }
  expect(await dispatcher.deliveries.skipWait('dlv_1')).toBe(false);
  expect((await dispatcher.deliveries.get('dlv_1'))?.delivery.state).toBe('exhausted');
});

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

it.each([
  ['all endpoints', 25, 1, 20],
  ['one endpoint', 1, 6, 4],
])('never exceeds the request limit for %s', async (_, endpoints, each, most) => {
  let answer = (): void => {};
  let answered = Promise.resolve();
  const { dispatcher, pass, sent } = await createBench(() => answered.then(ok), {
    concurrency: 20,
    perEndpoint: 4,
  });
  const enqueue = async (round: string): Promise<void> => {
    for (let n = 0; n < endpoints; n += 1) {
      for (let m = 0; m < each; m += 1) {
        await dispatcher.enqueue(siteView(`evt_${round}_${n}_${m}`, `site_${n}`));
      }
    }
  };
  for (let n = 0; n < endpoints; n += 1) {
    const target = { type: 'site', id: `site_${n}` } as const;
    await dispatcher.endpoints.add(siteEndpoint({ url: `http://receiver-${n}.test/`, target }));
  }
  // An endpoint earns its requests with answers.
  await enqueue('earning');
  await pass(0);
  sent.length = 0;
  answered = new Promise<void>((resolve) => (answer = resolve));
  await enqueue('held');
  while (sent.length < most) await turns(1);
  await turns(200);
  expect(sent).toHaveLength(most);
  answer();
  await pass(0);
  expect(sent).toHaveLength(endpoints * each);
});

it('aborts slow requests and leaves them to the next dispatcher', async () => {
  const store = createMemoryStore(createVirtualClock(start)).deliveries;
  const { dispatcher, sent, clock } = await createBench((_, signal) => hang(signal), { store });
  const changes: string[] = [];
  dispatcher.subscribe(({ type }) => changes.push(type));
  await dispatcher.enqueue(siteView('evt_1'));
  while (sent.length < 1) await new Promise(setImmediate);
  let closed = false;
  const closing = dispatcher.close({ patienceMs: 1000 }).then(() => (closed = true));
  await clock.advance(999);
  expect(closed).toBe(false);
  await clock.advance(1);
  await closing;
  expect(changes).toEqual(['queued']);
  expect(await store.get('dlv_1')).toMatchObject({ state: 'pending', phase: 'sending', attempts: 0 });

  const next = await createBench(ok, { store });
  await next.pass(0);
  const details = await next.dispatcher.deliveries.get('dlv_1');
  expect(details?.delivery).toMatchObject({ state: 'delivered', attempts: 1, requests: 2, crashes: 0 });
  expect(details?.attempts.map(({ result }) => result.kind)).toEqual(['interrupted', 'answer']);
});

it('closes the dispatcher immediately if all endpoints respond in time', async () => {
  const { dispatcher, clock } = await createBench(ok);
  await dispatcher.enqueue(siteView('evt_1'));
  await dispatcher.close({ patienceMs: 1000 });
  expect((await dispatcher.deliveries.get('dlv_1'))?.delivery.state).toBe('delivered');
  expect(clock.waiting().count).toBe(0);
});

it('finishes requests in flight and starts no new ones when the dispatcher closes', async () => {
  let answerNow = (): void => {};
  const { dispatcher, sent } = await createBench(
    () => new Promise((resolve) => (answerNow = () => resolve(ok()))),
  );
  await dispatcher.enqueue(siteView('evt_1'));
  await dispatcher.enqueue(siteView('evt_2'));
  while (sent.length < 1) await new Promise(setImmediate);
  let closed = false;
  const closing = dispatcher.close().then(() => (closed = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(closed).toBe(false);
  answerNow();
  await closing;
  expect(sent).toHaveLength(1);
  expect((await dispatcher.deliveries.get('dlv_1'))?.delivery.state).toBe('delivered');
  expect((await dispatcher.deliveries.get('dlv_2'))?.delivery).toMatchObject({
    state: 'pending',
    requests: 0,
  });
  await expect(dispatcher.enqueue(siteView('evt_3'))).rejects.toMatchObject({ code: 'closed' });
});
