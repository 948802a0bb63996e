import { expect, inject, it, onTestFinished } from 'vitest';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createWebhookFetch } from '../../src/webhooks/node/webhook-fetch.js';
import { fresh } from '../store/owned-store.js';
import { runWebhooks } from '../support/run-platform.js';
import { createFleet, endpointOf, until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const queueTo = (endpointId: string, eventId: string) =>
  fresh({ endpointId, installationId: 'ins_1', eventId, body: Buffer.from(JSON.stringify({ eventId })) });

const states = (found: readonly { state: string }[]): string[] => found.map(({ state }) => state);

const commandOn =
  (schema: string) =>
  async (...args: string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr } = await runWebhooks([...args, '--schema', schema, '--json'], {
      env: { PLATFORM_DATABASE_URL: inject('postgres') },
    });
    return { ...(stdout === '' ? {} : (JSON.parse(stdout) as object)), stderr };
  };

it('keeps all deliveries for a receiver that is down, and resends them later', async () => {
  let down = true;
  const { store, schema, log, queue, startAll, workers, endpoints } = await createFleet(
    2,
    (response, { endpoint }) => {
      response.statusCode = down && endpoint === 'whe_0' ? 503 : 200;
      response.end();
    },
  );
  // The default schedule, shortened.
  await startAll(['a', 'b'], ['--retry', '50ms,100ms,200ms']);
  const ids = await queue(1000);
  await until(
    30_000,
    'all failed',
    async () => (await store.backlog()).pending + (await store.backlog()).retrying === 0,
  );
  const run = commandOn(schema);
  const failed = await run('deliveries', '--state', 'exhausted', '--limit', '600');
  expect(failed['items']).toHaveLength(500);
  down = false;
  const began = performance.now();
  expect(await run('resend', '--endpoint', endpoints[0] as string, '--since', '1h')).toMatchObject({
    resent: 500,
    skipped: 0,
  });
  const missed = ids.filter((_, at) => at % 2 === 0);
  const answered = (id: string): boolean =>
    log.received.filter((one) => one.eventId === id && one.endpoint === 'whe_0').length === 5;
  await until(20_000, 'all arrived', async () => missed.every(answered));
  console.log(
    `receiver that was down: ${missed.length} of 500 sent by one command in ${Math.round(performance.now() - began)} ms`,
  );
  await until(
    10_000,
    'written',
    async () => (await store.list({ state: 'delivered', limit: 2000 })).length === 1000,
  );
  // A resent delivery is not resent again.
  expect(await run('resend', '--endpoint', endpoints[0] as string)).toMatchObject({ resent: 0, skipped: 0 });
  expect(workers.flatMap(({ events }) => events.filter(({ type }) => type === 'trouble'))).toEqual([]);
});

it('lists, inspects and resends deliveries and edits endpoints in a database from the command line', async () => {
  const { store, schema } = await openPostgres();
  const run = commandOn(schema);
  const added = await run(
    'add',
    '--url',
    'http://127.0.0.1:9/',
    '--event',
    'site_view',
    '--installation',
    'ins_1',
    '--site',
    'site_1',
    '--secret',
    'whsec_9',
  );
  const [{ id = '' } = {}] = added['endpoints'] as { id?: string }[];
  expect(added['endpoints']).toMatchObject([{ installationId: 'ins_1', enabled: true, secret: 'whsec_9' }]);
  const { sent } = await startWorker(store, { fetch: async () => new Response('no', { status: 400 }) });
  await store.insert([queueTo(id, 'evt_1')]);
  await expect.poll(async () => states(await store.list())).toEqual(['failed']);

  const [{ id: delivery = '' } = {}] = (await run('deliveries', '--failed'))['items'] as { id?: string }[];
  const inspected = await run('inspect', delivery);
  expect(inspected).toMatchObject({
    delivery: { id: delivery, state: 'failed', eventId: 'evt_1' },
    attempts: [
      {
        number: 1,
        request: { url: 'http://127.0.0.1:9/' },
        result: { status: 400, body: { content: 'no' } },
      },
    ],
    body: { content: '{"eventId":"evt_1"}' },
  });
  // The history contains no reusable signatures.
  expect(JSON.stringify(inspected)).not.toMatch(/signature/i);
  expect(await run('resend', delivery)).toMatchObject({
    delivery: { resentFrom: delivery, eventId: 'evt_1' },
  });
  await expect.poll(() => sent).toEqual(['evt_1', 'evt_1']);
  await expect.poll(async () => states(await store.list())).toEqual(['failed', 'failed']);

  expect(await run('disable', id)).toMatchObject({ endpoints: [{ id, enabled: false }] });
  // The first delivery was already sent again, so only the newer one counts.
  expect(await run('resend', '--endpoint', id)).toMatchObject({ resent: 0, skipped: 1 });
  expect(await run('resend', delivery)).toMatchObject({ error: { code: 'endpoint-disabled' } });
  expect(await run('enable', id)).toMatchObject({ endpoints: [{ id, enabled: true }] });
  expect(await run('resend', '--state', 'failed', '--until', '1h')).toMatchObject({ resent: 0, skipped: 0 });
  expect(await run('resend', '--state', 'failed')).toMatchObject({ resent: 1, skipped: 0 });
  await expect.poll(() => sent).toEqual(['evt_1', 'evt_1', 'evt_1']);
  const rotated = await run('rotate', id);
  expect(rotated).toMatchObject({ endpoints: [{ id, rotatesUntil: expect.any(Number) }] });
  expect(await run('list', id)).toMatchObject({ endpoints: [{ id, health: { succeeded: 0 } }] });
  expect(await run('remove', id)).toMatchObject({ endpoints: [] });
  expect(await run('inspect', 'dlv_999999')).toMatchObject({
    error: { message: 'Unknown delivery: dlv_999999.' },
  });
  expect(await run('resend')).toMatchObject({ error: { code: 'missing-input' } });
});

it('keeps successful deliveries for a day and failed ones for 30 days', async () => {
  const { store, sql, again } = await openPostgres();
  const add = async (state: string, count: number, age: string): Promise<void> => {
    await sql(
      `insert into done (id, finished_at, created_at, starts, state, endpoint, installation, event_id, event_type, history, body)
       select nextval('ids'), now() - $3::interval, 0, 0, $1, 'ep', 'inst', 'evt', 'site_view', '{}', '' from generate_series(1, $2::int)`,
      [state, count, age],
    );
  };
  await sql('create sequence ids start 1000000');
  await add('failed', 3, '29 days');
  await add('delivered', 2, '23 hours');
  for (const state of ['failed', 'exhausted', 'poisoned']) await add(state, 1500, '31 days');
  await add('delivered', 4500, '25 hours');
  // An endpoint with a large backlog is removed.
  await store.putEndpoint(endpointOf('large', 'http://127.0.0.1:1/'));
  await store.insert(Array.from({ length: 5000 }, (_, n) => queueTo('large', `evt_${n}`)));
  await store.removeEndpoint('large');
  await startWorker(store);
  await expect.poll(async () => (await store.backlog()).pending).toBe(0);
  expect(await store.trim()).toBe(9000);
  const count = async (): Promise<unknown> =>
    (await sql("select count(*)::int, count(*) filter (where endpoint = 'ep')::int as other from done"))[0];
  expect(await count()).toEqual({ count: 5005, other: 5 });
  expect(await (await again({ keep: { deliveredMs: 1, failedMs: 1 } })).trim()).toBe(5005);
});

it('disables and reports an endpoint that has failed for five days', async () => {
  const { store, sql } = await openPostgres();
  for (const id of ['bad', 'recovered', 'new'])
    await store.putEndpoint(endpointOf(id, `http://${id}.invalid/`));
  let healthy = false;
  const { changes, dispatcher } = await startWorker(store, {
    fetch: async (url) => new Response('', { status: healthy && url.includes('recovered') ? 200 : 400 }),
  });
  const fail = async (round: number, endpoints: string[]): Promise<void> => {
    const { length } = await store.list({ limit: 1000 });
    await store.insert(endpoints.map((id) => queueTo(id, `evt_${round}`)));
    await expect
      .poll(async () => (await store.list({ limit: 1000 })).filter(({ phase }) => phase === 'done').length)
      .toBe(length + endpoints.length);
  };
  const failing = async (): Promise<unknown> =>
    (await sql('select endpoint from failing order by 1')).map(({ endpoint }) => endpoint);
  await fail(1, ['bad', 'recovered']);
  await expect.poll(failing).toEqual(['bad', 'recovered']);
  healthy = true;
  await fail(2, ['recovered']);
  await expect.poll(failing).toEqual(['bad']);
  healthy = false;
  await sql("update failing set since = since - interval '5 days'");
  // Only another failure disables it.
  await fail(3, ['new']);
  await expect.poll(failing).toEqual(['bad', 'new']);
  expect(dispatcher.endpoints.get('bad').enabled).toBe(true);
  await fail(4, ['bad', 'recovered', 'new']);
  await expect.poll(() => dispatcher.endpoints.get('bad').enabled).toBe(false);
  expect((await store.endpoints()).map(({ id, enabled }) => [id, enabled])).toEqual([
    ['bad', false],
    ['recovered', true],
    ['new', true],
  ]);
  expect(changes.filter(({ type }) => type === 'endpoint-disabled')).toMatchObject([
    { endpoint: { id: 'bad' }, failingSince: expect.any(Number) },
  ]);
  expect(await failing()).toEqual(['new', 'recovered']);
});

it('retries on a custom schedule and respects Retry-After', async () => {
  const { store } = await openPostgres();
  const times: number[] = [];
  const server = createServer((_, response) => {
    times.push(performance.now());
    if (times.length === 2) response.setHeader('Retry-After', '1');
    if (times.length === 3) response.setHeader('Retry-After', '3600');
    response.statusCode = times.length < 5 ? 503 : 410;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  await store.putEndpoint(endpointOf('ep', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  await startWorker(store, {
    fetch: createWebhookFetch({ targets: 'any' }),
    retryDelaysMs: [100, 100, 100, 100, 100, 1000],
  });
  await store.insert([queueTo('ep', 'evt_1')]);
  await expect.poll(async () => states(await store.list())).toEqual(['failed']);
  expect(times).toHaveLength(5);
  const gaps = times.slice(1).map((time, at) => time - (times[at] as number));
  // No longer than the schedule's longest delay.
  for (const gap of gaps.slice(1, 3)) expect(gap).toBeGreaterThanOrEqual(999);
});

it('suggests only commands of platform-webhooks', async () => {
  const { store, schema, url } = await openPostgres();
  const printed = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await runWebhooks([...args, '--schema', schema], {
      env: { PLATFORM_DATABASE_URL: url },
    });
    return stdout + stderr;
  };
  expect(await printed('deliveries')).toContain('--installation <id> --site <id>\n');
  expect(await printed('deliveries', '--endpoint', 'whe_x')).toContain('platform-webhooks list\n');
  expect(await printed('resend', 'dlv_x')).toContain('platform-webhooks deliveries\n');
  expect(await printed('inspect', 'dlv_x')).toContain('platform-webhooks deliveries\n');
  await store.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  expect(await printed('deliveries')).toBe('No deliveries yet.\n');
});
