import { expect, test } from 'vitest';
import { createFleet, endpointOf, pause, until } from './fleet.js';
import { runWebhooks } from '../support/run-platform.js';

test('reports metrics, health and status for two workers', async () => {
  const { store, log, databaseUrl, schema, queue, delivered, startAll, workers } = await createFleet(20);
  await startAll(['web-1', 'web-2'], ['--metrics', '127.0.0.1:0']);
  const ids = await queue(200);
  await delivered(ids, 60_000);
  const [worker] = workers;
  const metrics = (await worker?.event('ready'))?.['metrics'];

  await until(10_000, 'all written', async () => (await store.backlog()).pending === 0);
  const health = await fetch(`${String(metrics)}/healthz`);
  expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
  const text = await (await fetch(`${String(metrics)}/metrics`)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^platform_webhook_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(value('connected')).toBe(1);
  expect(value('lanes')).toBe(128);
  expect(value('attempts_total{outcome="delivered"}')).toBeGreaterThan(0);
  expect(value('backlog{state="pending"}')).toBe(0);
  expect(value('polls_total')).toBeGreaterThan(0);
  expect((await fetch(`${String(metrics)}/`)).status).toBe(404);
  expect((await fetch(`${String(metrics)}/metrics`, { method: 'POST' })).status).toBe(405);

  await store.putEndpoint(endpointOf('whe_bad', 'http://127.0.0.1:1/'));
  await queue(1, { endpoints: ['whe_bad'] });
  await until(10_000, 'a retry', async () => (await store.status()).backlog.retrying === 1);
  const { stdout, code } = await runWebhooks(['status', '--schema', schema], {
    env: { PLATFORM_DATABASE_URL: databaseUrl },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^2 workers\n {2}web-1 +128 lanes/);
  expect(stdout).toMatch(/0 new and 1 retried deliveries are waiting, the oldest for \d+ s\./);
  expect(stdout).toMatch(/whe_bad {2}http:\/\/127\.0\.0\.1:1\/ {2}1 retrying, 0 failed/);
  expect(log.repeated()).toBe(0);
});

test('finishes requests in flight and starts no new ones after SIGTERM', async () => {
  const { log, queue, startAll, workers, store } = await createFleet(1, (response) => {
    setTimeout(() => response.end('{}'), 1500);
  });
  await startAll(['only']);
  await queue(20);
  await until(10_000, 'a request', async () => log.received.length > 0);
  const [worker] = workers;
  worker?.child.kill('SIGTERM');
  expect(await worker?.ended).toBe(143);
  const sent = log.received.length;
  const { backlog } = await store.status();
  expect(worker?.events.map(({ type }) => type)).toEqual(['ready', 'stopping', 'stopped']);
  expect(worker?.events.at(-1)).toMatchObject({ requests: sent });
  expect(backlog.pending).toBe(20 - sent);
  await pause(500);
  expect(log.received).toHaveLength(sent);
});

test('rejects a private address at connection time, unless --targets any is set', async () => {
  const { store, log, queue, start, endpoints } = await createFleet(1);
  const worker = start('public', { args: ['--targets', 'public'] });
  await worker.event('ready');
  const [id] = await queue(1);
  await until(15_000, 'a refusal', async () => (await store.status()).failing.length > 0);
  const [delivery] = await store.list({ endpointId: endpoints[0] as string });
  const [attempt] = await store.attempts(delivery?.id ?? '');
  expect(attempt?.result).toMatchObject({ kind: 'error', error: 'target' });
  expect(log.received.filter(({ eventId }) => eventId === id)).toEqual([]);
});

test("sends an endpoint's failure to the operator, and to nobody else at the operator's private address", async () => {
  const { store, log, queue, start, endpoints } = await createFleet(1);
  await start('notifying', {
    args: ['--targets', 'public', '--notify', `${log.url}/${endpoints[0]}`],
  }).event('ready');
  await queue(3);
  await until(60_000, 'three failures', async () => (await store.list({ failed: true })).length === 3);
  await until(60_000, 'a webhook', async () => log.received.length > 0);
  const [sent] = await store.list({ endpointId: 'whe_operator' });
  const body: unknown = JSON.parse(Buffer.from((await store.body(sent?.id ?? '')) ?? []).toString());
  expect(body).toMatchObject({ type: 'delivery-failed', endpoint: endpoints[0], state: 'exhausted' });
  expect(log.received.map(({ eventId }) => eventId)).toEqual([sent?.eventId]);
});

test('applies an endpoint change made by another process within a second', async () => {
  const { store, log, startAll, queue, delivered, endpoints } = await createFleet(4);
  await startAll(['a', 'b']);
  await delivered(await queue(8), 60_000);

  await store.putEndpoint(endpointOf('whe_new', `${log.url}/whe_new`));
  const [fresh] = await queue(1, { endpoints: ['whe_new'] });
  await delivered([fresh as string], 60_000);

  const [paused] = endpoints as [string];
  await store.changeEndpoint(paused, (endpoint) => ({ ...endpoint, enabled: false }));
  await pause(1000);
  const count = log.received.length;
  await queue(5, { endpoints: [paused] });
  await pause(1000);
  expect(log.received).toHaveLength(count);

  const moved = `${log.url}/moved`;
  await store.changeEndpoint(paused, (endpoint) => ({ ...endpoint, enabled: true, url: moved }));
  await until(
    5000,
    'the new address',
    async () => log.received.filter(({ endpoint }) => endpoint === 'moved').length === 5,
  );

  await store.removeEndpoint(paused);
  await pause(1000);
  const before = log.received.length;
  await queue(3, { endpoints: [paused] }).catch(() => []);
  await pause(1000);
  expect(log.received).toHaveLength(before);
});

test('takes over hanging endpoints with a new worker', async () => {
  const { store, startAll, start, queue, log, endpoints } = await createFleet(60, () => undefined);
  await startAll(['a']);
  await queue(60);
  await until(10_000, 'a request to each', async () => log.received.length >= endpoints.length);
  const began = performance.now();
  await start('b').event('ready');
  await until(8000, 'lanes shared', async () =>
    (await store.status()).workers.every(({ lanes }) => lanes === 128),
  );
  console.log(`lanes of endpoints that hang: shared after ${Math.round(performance.now() - began)} ms`);
});

test('never prints a password, and warns if one is passed on the command line', async () => {
  const secret = 'pw_S3cret';
  const url = `postgres://someone:${secret}@127.0.0.1:1/app`;
  const onCommandLine = await runWebhooks(['status', '--database', url], {});
  const inEnvironment = await runWebhooks(['worker'], { env: { PLATFORM_DATABASE_URL: url } });
  const broken = await runWebhooks(['status', '--database', `//${secret}`], {});
  for (const { code, stdout, stderr } of [onCommandLine, inEnvironment, broken]) {
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(secret);
  }
  expect(onCommandLine.stderr).toContain('Other users of this machine can read the password in --database.');
  expect(inEnvironment.stderr).not.toContain('warning');
});
