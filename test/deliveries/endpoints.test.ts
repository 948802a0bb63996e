import { expect, it } from 'vitest';
import { siteEndpoint, siteView } from '../webhooks/dispatcher-under-test.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';
import { eventTo } from '../store/owned-store.js';

it('applies an endpoint change made by another process', async () => {
  const { store, again } = await openPostgres();
  const urls: string[] = [];
  const worker = await startWorker(store, {
    fetch: async (url) => {
      urls.push(url);
      return new Response('ok');
    },
  });
  await expect.poll(() => store.worker().lanes).toBe(256);
  // Another process that has the store but owns no lanes.
  const other = await again({ name: 'other' });
  const follows = (isDone: () => boolean | Promise<boolean>): Promise<void> =>
    expect.poll(isDone, { interval: 10 }).toBe(true);
  const sent = (eventId: string): boolean => worker.sent.includes(eventId);

  const added = { ...siteEndpoint(), id: 'whe_other', enabled: true, secret: 's', createdAt: 1 };
  await other.putEndpoint(added);
  await other.insert([eventTo('whe_other', 'evt_added')]);
  await follows(() => sent('evt_added'));

  await other.changeEndpoint('whe_other', (endpoint) => ({ ...endpoint, url: 'http://changed.test/' }));
  await follows(() => worker.dispatcher.endpoints.get('whe_other').url === 'http://changed.test/');

  await other.setPaused('ins', true);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await other.insert(Array.from({ length: 2100 }, (_, n) => eventTo('whe_other', `evt_paused_${n}`)));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(worker.sent.filter((id) => id.startsWith('evt_paused'))).toEqual([]);
  await other.setPaused('ins', false);
  await follows(() => sent('evt_paused_0'));
  await expect.poll(() => worker.sent.length).toBe(2101);

  await other.changeEndpoint('whe_other', (endpoint) => ({ ...endpoint, enabled: false }));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await other.insert([eventTo('whe_other', 'evt_disabled')]);
  await other.removeEndpoint('whe_other');
  await follows(async () => (await other.list({ state: 'failed' })).length === 1);
  expect(sent('evt_disabled')).toBe(false);
  expect(worker.dispatcher.endpoints.list()).toEqual([]);
  expect(new Set(urls)).toEqual(new Set(['http://receiver.test/hook', 'http://changed.test/']));
});

it('keeps all changes when two processes edit the same endpoint', async () => {
  const { store, again } = await openPostgres();
  const first = await startWorker(store);
  const { id, secret } = await first.dispatcher.endpoints.add(siteEndpoint());
  const second = await startWorker(await again({ name: 'second' }));
  await Promise.all([
    first.dispatcher.endpoints.rotateSecret(id),
    second.dispatcher.endpoints.update(id, { url: 'http://changed.test/' }),
    first.dispatcher.endpoints.update(id, { events: ['page_feedback'] }),
    second.dispatcher.endpoints.rotateSecret(id),
  ]);
  const [endpoint] = await store.endpoints();
  expect(endpoint).toMatchObject({ url: 'http://changed.test/', events: ['page_feedback'] });
  expect([endpoint?.secret, endpoint?.previousSecret?.secret]).not.toContain(secret);
  for (const { dispatcher } of [first, second]) {
    await expect.poll(() => dispatcher.endpoints.get(id)).toEqual(endpoint);
  }
});

it('does not undo a secret rotation or enable a disabled endpoint when the application defines the endpoint again', async () => {
  const { store, again, sql } = await openPostgres();
  const defined = { ...siteEndpoint(), id: 'whe_1', enabled: true, secret: 'first', createdAt: 1 };
  // Several processes start at the same time.
  const others = await Promise.all(Array.from({ length: 4 }, () => again()));
  await Promise.all(others.map((other) => other.putEndpoint(defined)));
  const { dispatcher } = await startWorker(store);
  await dispatcher.endpoints.rotateSecret('whe_1');
  await dispatcher.endpoints.update('whe_1', { enabled: false });
  const [changed] = await store.endpoints();
  const revision = (): Promise<unknown> => sql('select last from revisions');
  const before = await revision();
  await store.putEndpoint({ ...defined, createdAt: 2 });
  expect(await store.endpoints()).toEqual([changed]);
  // Defining an unchanged endpoint writes nothing.
  expect(await revision()).toEqual(before);
  await store.putEndpoint({ ...defined, url: 'http://moved.test/', createdAt: 2 });
  expect(await store.endpoints()).toEqual([{ ...changed, url: 'http://moved.test/' }]);
  await store.removeEndpoint('whe_1');
  await store.putEndpoint(defined);
  expect(await store.endpoints()).toEqual([defined]);
});

it.each([
  [{ url: 'nowhere' }, '"nowhere" is not an http or https URL.'],
  [{ url: undefined }, 'A webhook endpoint needs a URL.'],
  [{ url: 'http://me:geheim@x.test/' }, 'The URL must not contain a user name or password.'],
  [{ events: ['site_viewed'] }, 'site_viewed cannot be sent from a site; site_view and page_feedback can.'],
  [{ events: undefined }, 'A webhook endpoint needs at least one event type: site_view or page_feedback.'],
  [{ target: undefined }, 'A webhook endpoint needs a target: a space or a site, and its id.'],
  [
    { target: { type: 'page', id: 'x' } },
    'A webhook endpoint needs a target: a space or a site, and its id.',
  ],
  [{ secret: '' }, 'The secret must not be empty.'],
  [{ secret: undefined }, 'The secret must not be empty.'],
])('rejects an endpoint with %j and explains: %s', async (wrong, message) => {
  const { store } = await openPostgres();
  const endpoint = { ...siteEndpoint(), id: 'whe_1', enabled: true, secret: 's', createdAt: 1, ...wrong };
  const problem = { code: 'invalid-endpoint', message };
  await expect(store.putEndpoint(endpoint as never)).rejects.toMatchObject(problem);
  expect(await store.endpoints()).toEqual([]);

  const valid = { ...siteEndpoint(), id: 'whe_1', enabled: true, secret: 's', createdAt: 1 };
  await store.putEndpoint(valid);
  await expect(
    store.changeEndpoint('whe_1', (current) => ({ ...current, ...wrong }) as never),
  ).rejects.toMatchObject(problem);
  expect(await store.endpoints()).toEqual([valid]);
});

it('can disable an invalid endpoint that an earlier version stored', async () => {
  const { store, sql } = await openPostgres();
  const stored = { ...siteEndpoint(), id: 'whe_1', enabled: true, secret: '', createdAt: 1 };
  await sql('insert into endpoints (id, value, revision) values ($1, $2, 1)', [
    'whe_1',
    JSON.stringify(stored),
  ]);
  expect(await store.changeEndpoint('whe_1', (one) => ({ ...one, enabled: false }))).toMatchObject({
    enabled: false,
  });
  await expect(store.updateEndpoint('whe_1', { url: 'http://changed.test/' })).rejects.toMatchObject({
    message: 'The secret must not be empty.',
  });
});

it("queues deliveries only if the caller's transaction is committed", async () => {
  const { store, sql } = await openPostgres();
  const worker = await startWorker(store);
  const { id } = await worker.dispatcher.endpoints.add(siteEndpoint());
  const client = { query: async (text: string, values?: unknown[]) => ({ rows: await sql(text, values) }) };
  await sql('begin');
  await store.enqueue(client, [eventTo(id, 'evt_undone')]);
  await sql('rollback');
  await sql('begin');
  const [queued] = await store.enqueue(client, [eventTo(id, 'evt_kept')]);
  expect(await store.get(queued?.id ?? '')).toBeUndefined();
  await worker.dispatcher.enqueue(siteView('evt_meanwhile'));
  await expect.poll(() => worker.sent).toEqual(['evt_meanwhile']);
  await sql('commit');
  await expect.poll(() => worker.sent).toEqual(['evt_meanwhile', 'evt_kept']);
});

it('sends bodies that together are too large for one database response', async () => {
  const { store } = await openPostgres({ maxBodyBytes: 4_000_000 });
  const bytes: number[] = [];
  const worker = await startWorker(store, {
    fetch: async (_, { body }) => {
      bytes.push(body?.byteLength ?? 0);
      return new Response('ok');
    },
  });
  const { id } = await worker.dispatcher.endpoints.add(siteEndpoint());
  const large = [300_000, 2_000_000, 700_000, 400_000, 1_048_576, 10, 900_000];
  const bodies = large.map((size, n) => JSON.stringify({ eventId: `evt_${n}`, text: 'x'.repeat(size) }));
  await store.insert(bodies.map((body, n) => ({ ...eventTo(id, `evt_${n}`), body: Buffer.from(body) })));
  await expect.poll(() => bytes.length).toBe(large.length);
  expect(new Set(bytes)).toEqual(new Set(bodies.map(({ length }) => length)));
});

it('shares endpoints with processes of version 0.2.0, which store the target as "place"', async () => {
  const { store, sql } = await openPostgres();
  const worker = await startWorker(store);
  await expect.poll(() => store.worker().lanes).toBe(256);
  const { target, ...rest } = { ...siteEndpoint(), id: 'whe_old', enabled: true, secret: 's', createdAt: 1 };
  // The format written by 0.2.0.
  await sql(
    'with r as (update revisions set last = last + 1 returning last) insert into endpoints (id, value, revision) select $1, $2, last from r',
    ['whe_old', JSON.stringify({ ...rest, place: target })],
  );
  expect(await store.endpoints()).toEqual([{ ...rest, target }]);
  await expect
    .poll(() => worker.dispatcher.endpoints.list().map((endpoint) => endpoint.target))
    .toEqual([target]);
  await worker.dispatcher.enqueue(siteView('evt_old'));
  await expect.poll(() => worker.sent).toEqual(['evt_old']);

  // This version writes both names.
  await store.changeEndpoint('whe_old', (endpoint) => ({ ...endpoint, url: 'http://changed.test/' }));
  const [row] = await sql(`select value from endpoints where id = 'whe_old'`);
  expect(row?.['value']).toEqual({ ...rest, url: 'http://changed.test/', target, place: target });
});
