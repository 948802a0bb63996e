import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { sampleEvent } from '../../src/protocol/sample-events.js';
import { enqueueEvent } from '../../src/deliveries/index.js';
import { createEnqueueFunctions } from '../../src/deliveries/schema/enqueue-functions.js';
import { laneOf } from '../../src/deliveries/model/tables.js';
import { fresh } from '../store/owned-store.js';
import { createFleet, endpointOf, until } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const megabyte = 1024 * 1024;

const body = (eventId: string, bytes: number): Uint8Array => {
  const empty = JSON.stringify({ eventId, filling: '' });
  return Buffer.from(JSON.stringify({ eventId, filling: 'x'.repeat(bytes - empty.length) }));
};

const insertRow = `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
  values ($1, $2, 'ins_1', convert_to($3, 'UTF8'), 'site_view', 0, $4::bytea)`;

it('rejects only the delivery with a body over 1 MB', async () => {
  const { store, schema, url } = await openPostgres();
  await store.putEndpoint(endpointOf('ep', 'http://127.0.0.1:1/'));
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const largest = fresh({ eventId: 'evt_1', body: body('evt_1', megabyte) });
  const tooLarge = fresh({ eventId: 'evt_2', body: body('evt_2', megabyte + 1) });
  const rejection = {
    code: 'store/too-large',
    message: 'The event evt_2 has 1048577 bytes, but at most 1048576 bytes are allowed.',
    hint: expect.stringContaining('maxBodyBytes'),
  };
  const [kept, rejected] = await Promise.allSettled([store.insert([largest]), store.insert([tooLarge])]);
  expect(kept.status).toBe('fulfilled');
  expect(rejected).toMatchObject({ status: 'rejected', reason: rejection });
  await expect(store.enqueue(client, [tooLarge])).rejects.toMatchObject(rejection);

  const event = { ...sampleEvent('site_view'), installationId: 'ins_1', siteId: 'site_1', eventId: 'evt_3' };
  const large = { ...event, url: 'x'.repeat(megabyte) };
  const tooLargeInSql = {
    code: '22023',
    message: expect.stringMatching(/^The event has \d+ bytes, but at most/),
  };
  await expect(enqueueEvent(client, large, { schema })).rejects.toMatchObject(tooLargeInSql);
  const call = (more = ''): Promise<unknown> =>
    client.query(`select * from ${schema}.enqueue_event($1${more})`, [JSON.stringify(large)]);
  await expect(call()).rejects.toMatchObject(tooLargeInSql);
  await call(', 2000000');
  expect(
    await enqueueEvent(client, { ...large, eventId: 'evt_4' }, { schema, maxBodyBytes: 2_000_000 }),
  ).toHaveLength(1);
  expect((await store.backlog()).pending).toBe(3);
});

it('lets producers that were set up with an earlier schema call the function with a size limit', async () => {
  const { schema, sql } = await openPostgres();
  const role = `producer_${schema}`;
  const limited = `${schema}.enqueue_event(json, integer)`;
  await sql(`create role ${role}`);
  await sql(`grant execute on function ${schema}.enqueue_event(json) to ${role}`);
  const isAllowed = async (): Promise<unknown> =>
    (await sql(`select has_function_privilege($1, $2, 'execute') as allowed`, [role, limited]))[0]?.[
      'allowed'
    ];
  expect(await isAllowed()).toBe(false);
  await sql(`drop function ${limited}`);
  await sql(createEnqueueFunctions(schema));
  expect(await isAllowed()).toBe(true);
  await sql(`drop owned by ${role}`);
  await sql(`drop role ${role}`);
});

it('accepts larger bodies if maxBodyBytes is set', async () => {
  const { store, again } = await openPostgres({ maxBodyBytes: 3 * megabyte });
  await store.putEndpoint(endpointOf('ep', 'http://127.0.0.1:1/'));
  const { sent } = await startWorker(await again());
  await store.insert([fresh({ eventId: 'evt_1', body: body('evt_1', 2 * megabyte) })]);
  await expect.poll(() => sent).toEqual(['evt_1']);
});

it('rejects a delivery that no worker would pick up because of its group or time', async () => {
  const { schema, sql } = await openPostgres();
  const queue = (lane: number, created: number): Promise<unknown> =>
    sql(
      `select * from ${schema}.queue(array[$1]::smallint[], '{ep}', '{i}', '{e}', '{t}', array[$2]::float8[], '{null}', '{b}')`,
      [lane, created],
    );
  for (const lane of [-1, 256]) {
    await expect(queue(lane, 0)).rejects.toMatchObject({ code: '22023', message: /lane/ });
  }
  for (const time of [Number.NaN, Infinity, -Infinity]) {
    await expect(queue(1, time)).rejects.toMatchObject({ code: '22023', message: /time/ });
  }
  await queue(255, 0);
});

it('sets aside a delivery whose body exceeds the limit, and records the reason', async () => {
  const { store, sql } = await openPostgres();
  await store.putEndpoint(endpointOf('ep', 'http://127.0.0.1:1/'));
  await sql(insertRow, [laneOf('ep'), 'ep', 'evt_1', body('evt_1', megabyte + 1)]);
  // Deliveries to a removed endpoint are closed.
  await sql(insertRow, [laneOf('gone'), 'gone', 'evt_2', body('evt_2', megabyte + 1)]);
  const { sent } = await startWorker(store);
  await store.insert([fresh({ body: Buffer.from('{"eventId":"small"}') })]);
  await expect.poll(() => sent).toEqual(['small']);
  await expect.poll(async () => (await store.backlog()).pending).toBe(0);
  const [poisoned] = await store.list({ endpointId: 'ep', state: 'poisoned' });
  const [attempt] = await store.attempts(poisoned?.id ?? '');
  expect(attempt?.result).toEqual({
    kind: 'error',
    error: 'preparation',
    message: 'The body has 1048577 bytes, but at most 1048576 bytes are allowed.',
  });
  // Kept so that workers with a larger limit can send it.
  expect((await store.body(poisoned?.id ?? ''))?.byteLength).toBe(megabyte + 1);
  expect((await store.resendAll({ endpointId: 'ep', state: 'poisoned' })).resent).toBe(1);
});

it('sets aside a 300 MB row without delaying other deliveries or using more memory', async () => {
  const { store, queue, delivered, log, start, databaseUrl, schema, endpoints } = await createFleet(20);
  const client = new Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`set search_path to ${schema}`);
  const [endpoint = ''] = endpoints;
  await client.query(
    `insert into pending (lane, endpoint, installation, event_id, event_type, created_at, body)
     values ($1, $2, 'ins_1', 'evt_large', 'site_view', 0, convert_to(repeat('0123456789abcdef', 300 * 65536), 'UTF8'))`,
    [laneOf(endpoint), endpoint],
  );
  const worker = start('only');
  await worker.event('ready');
  await delivered(await queue(200), 60_000);
  await until(
    30_000,
    'the large row is set aside',
    async () => (await store.list({ state: 'poisoned' })).length === 1,
  );
  const memory = readFileSync(`/proc/${worker.child.pid}/status`, 'utf8');
  const most = Number(/^VmHWM:\s+(\d+) kB/m.exec(memory)?.[1]) / 1024;
  console.log(`a row of 300 MB: the worker used at most ${most.toFixed(0)} MB`);
  expect(log.events.size).toBe(200);
  expect(most).toBeLessThan(250);
});
