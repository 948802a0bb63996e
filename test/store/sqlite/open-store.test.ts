import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { systemClock, createVirtualClock } from '../../../src/base/clock.js';
import { migrations } from '../../../src/store/sqlite/upgrade-database.js';
import { fromBlob, openSqlite, toBlob } from '../../../src/store/sqlite/sqlite.js';
import { openDatabase } from '../../../src/store/sqlite/open-database.js';
import { openStore } from '../../../src/store/open-store.js';
import type { Store } from '../../../src/store/store.js';
import type { CallRecord } from '../../../src/store/calls/call-log.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { DeliveryChange } from '../../../src/webhooks/dispatcher.js';
import { openDispatcher, siteEndpoint, siteView, start } from '../../webhooks/dispatcher-under-test.js';

const open = (file: string): Store => openStore({ file, clock: systemClock });

const failure = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
};

it('finds all data after the store is closed and reopened', async () => {
  const file = join(temporaryFolder(), 'deep', 'state.db');
  const first = open(file);
  first.state.put('things', 'a', { n: 1 });
  first.callLog.record({
    id: 'call',
    source: 'event',
    event: undefined,
    environment: undefined,
    time: 1,
    version: 1,
    outcome: 'ok',
    requestBytes: 1,
    responseBytes: 0,
    logs: [],
    outbound: [],
  });
  first.callLog.appendBody('call', 'request', new Uint8Array([7]));
  const inserted = first.deliveries.insert([
    {
      endpointId: 'ep',
      installationId: 'i',
      eventId: 'e',
      eventType: 't',
      body: new Uint8Array([1]),
      createdAt: 1,
    },
  ]);
  await first.close();
  await inserted;

  const second = open(file);
  expect(second.state.get('things', 'a')).toEqual({ n: 1 });
  expect(second.callLog.get('call')?.id).toBe('call');
  expect(second.callLog.body('call', 'request')).toEqual(new Uint8Array([7]));
  expect(await second.deliveries.body('dlv_1')).toEqual(new Uint8Array([1]));
  await second.close();
});

it('creates files that only their owner can read', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const store = open(file);
  store.state.put('a', 'b', 1);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(`${file}${suffix}`).mode & 0o077).toBe(0);
  await store.close();
});

it('syncs each commit to the disk', () => {
  const db = openDatabase(join(temporaryFolder(), 'state.db'));
  expect(db.prepare('PRAGMA journal_mode').first()).toEqual(['wal']);
  expect(db.prepare('PRAGMA synchronous').first()).toEqual([2]);
  db.close();
});

it('leaves a single file behind when the store is closed', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'state.db');
  const store = open(file);
  store.state.put('things', 'a', 1);
  await store.close();
  copyFileSync(file, join(folder, 'copy.db'));
  const copy = open(join(folder, 'copy.db'));
  expect(copy.state.get('things', 'a')).toBe(1);
  await copy.close();
});

it.each([
  ['text', () => Buffer.from('not a database, but long enough to be read as the header of one'.repeat(100))],
  ['zeros', () => Buffer.alloc(8192)],
])('reports a database file that contains %s as corrupt', (_, content) => {
  const file = join(temporaryFolder(), 'state.db');
  writeFileSync(file, content());
  expect(failure(() => open(file))).toMatchObject({
    name: 'UserError',
    code: 'store/corrupt',
    hint: expect.stringContaining('platform dev --fresh'),
  });
});

it('reports a database file with overwritten pages as corrupt', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const store = open(file);
  store.state.transaction(() => {
    for (let i = 0; i < 500; i += 1) store.state.put('things', `${i}`, 'x'.repeat(200));
  });
  await store.close();
  const bytes = readFileSync(file);
  bytes.fill(0x55, 4096);
  writeFileSync(file, bytes);
  expect(failure(() => open(file).state.list('things'))).toMatchObject({
    name: 'UserError',
    code: 'store/corrupt',
  });
});

it('keeps the data when upgrading a database file from the first format', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const db = openSqlite(file);
  db.exec(migrations[0] ?? '');
  db.exec('PRAGMA user_version = 1');
  const insert = db.prepare('INSERT INTO traffic (id, entry) VALUES (?, ?)');
  const environment = { apiEndpoint: 'http://127.0.0.1:4100/api', integration: { title: 'NUL \0 and ü' } };
  const entries = [
    { id: 'a', source: 'request', environment, logs: [], outbound: [] },
    { id: 'b', source: 'script', logs: [{ level: 'info', text: 'é\0', time: 1 }], outbound: [] },
    { id: 'c', source: 'event', environment, logs: [], outbound: [] },
    { id: 'd', source: 'event', time: 7, version: 3, outcome: 'failed', error: 'No', logs: [], outbound: [] },
  ];
  for (const entry of entries) insert.run(toBlob(entry.id), toBlob(JSON.stringify(entry)));
  db.prepare('INSERT INTO traffic_body (id, which, chunk) VALUES (?, ?, ?)').run(
    toBlob('a'),
    'request',
    new Uint8Array([7, 0, 255]),
  );
  db.close();

  const store = open(file);
  expect(store.callLog.list().map(({ call }) => call)).toEqual(entries);
  expect(store.callLog.body('a', 'request')).toEqual(new Uint8Array([7, 0, 255]));
  expect(store.callLog.problems({ version: 3, limit: 9 })).toMatchObject({
    errors: { current: 1, all: 1 },
    groups: [{ first: 7, last: 7, newest: { id: 'd' } }],
  });
  await store.close();
  const after = openSqlite(file);
  expect(after.prepare('SELECT count(*) FROM traffic_environment').first()).toEqual([1]);
  after.close();
});

it('deletes an environment together with the last call that uses it', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const store = openStore({ file, clock: systemClock, limits: { entries: 2 } });
  const record = (id: string, environment?: { apiEndpoint: string }): void => {
    const rest = { source: 'event', time: 1, version: 1, outcome: 'ok', logs: [], outbound: [] };
    store.callLog.record({ id, environment, ...rest } as unknown as CallRecord);
    store.callLog.flush();
  };
  record('a', { apiEndpoint: 'old' });
  record('b', { apiEndpoint: 'new' });
  record('c', { apiEndpoint: 'new' });
  await store.close();
  const db = openSqlite(file);
  expect(
    db
      .prepare('SELECT value FROM traffic_environment')
      .all()
      .map(([value]) => fromBlob(value)),
  ).toEqual(['{"apiEndpoint":"new"}']);
  db.close();
});

it('rejects a database file in a newer format', async () => {
  const file = join(temporaryFolder(), 'state.db');
  await open(file).close();
  const db = openSqlite(file);
  db.exec('PRAGMA user_version = 999');
  db.close();
  expect(failure(() => open(file))).toMatchObject({ name: 'UserError', code: 'store/newer' });
});

it('reports after a short wait that another process is using the database file', () => {
  const file = join(temporaryFolder(), 'state.db');
  const first = openSqlite(file);
  first.exec('CREATE TABLE t (a); BEGIN IMMEDIATE');
  const second = openSqlite(file, 50);
  expect(failure(() => second.exec('INSERT INTO t VALUES (1)'))).toMatchObject({
    name: 'UserError',
    code: 'store/busy',
  });
  first.exec('ROLLBACK');
  second.exec('INSERT INTO t VALUES (1)');
  expect(first.prepare('SELECT count(*) FROM t').first()).toEqual([1]);
  first.close();
  second.close();
});

it('reports missing write permission for the database file', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'state.db'));
  expect(failure(() => open(join(folder, 'state.db')))).toMatchObject({ code: 'store/unreadable' });
  writeFileSync(join(folder, 'file'), '');
  expect(failure(() => open(join(folder, 'file', 'state.db')))).toMatchObject({ code: 'store/unreadable' });
});

const values = {
  'invalid JSON': '{"id":"whe_',
  nothing: '',
  null: 'null',
  'an endpoint without a secret': JSON.stringify({ id: 'whe_1', ...siteEndpoint() }),
};

test.each(Object.entries(values))('serves all other endpoints if one is corrupt (%s)', async (_, value) => {
  const file = join(temporaryFolder(), 'state.db');
  const clock = createVirtualClock(start);
  const sent: string[] = [];
  const send = async (url: string): Promise<Response> => {
    sent.push(url);
    return new Response();
  };
  const store = openStore({ file, clock });
  const first = await openDispatcher(store.deliveries, clock, send);
  const damaged = await first.endpoints.add(siteEndpoint({ url: 'http://damaged.test/' }));
  const { secret, ...whole } = await first.endpoints.add(siteEndpoint({ url: 'http://whole.test/' }));
  await first.pause('ins');
  await first.enqueue(siteView('evt_1'));
  await first.close();
  await store.close();
  const db = openSqlite(file);
  db.prepare('UPDATE webhook_endpoint SET value = ? WHERE id = ?').run(toBlob(value), damaged.id);
  db.close();

  const again = openStore({ file, clock });
  const changes: DeliveryChange[] = [];
  const second = await openDispatcher(again.deliveries, clock, send);
  second.subscribe((change) => changes.push(change));
  const message = `The webhook endpoint ${damaged.id} in ${file} is damaged, so nothing is sent to it. Add the endpoint again. Its pending deliveries are still in the file.`;
  const error: unknown = expect.objectContaining({ code: 'store/damaged-endpoint', message });
  expect(changes).toEqual([{ type: 'trouble', error }]);
  expect(second.endpoints.list()).toEqual([{ ...whole, secret }]);

  await second.resume('ins');
  await second.idle();
  expect(sent).toEqual(['http://whole.test/']);
  const states = (await second.deliveries.list()).map(({ endpointId, state }) => [endpointId, state]);
  expect(states).toEqual([
    [whole.id, 'delivered'],
    [damaged.id, 'pending'],
  ]);
  await expect(again.deliveries.changeEndpoint(damaged.id, (one) => one)).rejects.toMatchObject({
    code: 'store/damaged-endpoint',
  });
  await again.deliveries.removeEndpoint(damaged.id);
  expect((await again.deliveries.list())[1]).toMatchObject({ endpointId: damaged.id, state: 'failed' });
  await second.close();
  await again.close();
});

it('resumes an interrupted delivery to a corrupt endpoint', async () => {
  const file = join(temporaryFolder(), 'state.db');
  const clock = createVirtualClock(start);
  const store = openStore({ file, clock });
  const first = await openDispatcher(store.deliveries, clock, () => new Promise(() => {}));
  const damaged = await first.endpoints.add(siteEndpoint());
  await first.enqueue(siteView('evt_1'));
  while ((await store.deliveries.get('dlv_1'))?.phase !== 'sending') await new Promise(setImmediate);
  await store.close();
  const db = openSqlite(file);
  db.prepare('UPDATE webhook_endpoint SET value = ? WHERE id = ?').run(toBlob('{'), damaged.id);
  db.close();
  const again = openStore({ file, clock });
  const second = await openDispatcher(again.deliveries, clock, async () => new Response());
  expect(await again.deliveries.get('dlv_1')).toMatchObject({ state: 'pending', phase: 'waiting' });
  await second.close();
  await again.close();
});
