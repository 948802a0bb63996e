import { expect, it } from 'vitest';
import type { CallLine, CallRecord } from '../../../src/contract/routes/calls.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { createCalled } from './called.js';
import { createSample, startSample, type Sample } from '../emulator-under-test.js';

const call = async ({ control }: Sample, id: string | undefined): Promise<CallRecord> =>
  (await control<CallRecord>('GET', `/calls/${id}`)).body;

const newest = ({ store }: Sample, type: string): string =>
  store.callLog.list({ type, limit: 1 })[0]?.call.id ?? '';

it('links a replay and its original call to each other', async () => {
  const sample = await startSample();
  await (await sample.get('/v1/integrations/sample/hook')).text();
  const first = newest(sample, 'fetch');
  const replayed = await sample.emulator.replay(first);
  expect((await call(sample, replayed.call)).cause).toEqual({ type: 'replay', call: first });
  const listed = (await sample.control<CallLine[]>('GET', `/calls?ids=${replayed.call}`)).body;
  expect(listed.map(({ cause }) => cause)).toEqual([{ type: 'replay', call: first }]);
  expect((await call(sample, first)).effects).toEqual([
    { type: 'replay', time: sample.clock.now(), call: replayed.call },
  ]);
});

it('links a task to the call that queued it, before and after it runs', async () => {
  const called = await createCalled();
  await (await called.get('/v1/integrations/sample/hook')).text();
  const queuedBy = newest(called, 'fetch');
  const task = { type: 'sync' };
  const headers = { 'x-platform-call': queuedBy };
  const { body } = await called.call('POST', '/integrations/sample/tasks', {
    body: { task, schedule: 60 },
    headers,
  });
  const { id } = body as { id: string };
  const queued = {
    type: 'task',
    id,
    title: 'sync',
    time: called.clock.now(),
    dueAt: called.clock.now() + 60_000,
  };
  expect((await call(called, queuedBy)).effects).toEqual([queued]);
  expect((await called.control('GET', '/tasks')).body).toMatchObject([{ id, queuedBy }]);

  await called.clock.advance(60_000);
  await called.emulator.settled();
  const ran = newest(called, 'task');
  expect((await call(called, ran)).cause).toEqual({ type: 'task', task: id, call: queuedBy });
  expect((await call(called, queuedBy)).effects).toEqual([{ ...queued, call: ran }]);
});

it('links an event and its webhook deliveries to each other', async () => {
  const sample = createSample(undefined, { outside: async () => new Response('OK') });
  const { emulator, control } = sample;
  await emulator.start();
  const url = 'http://127.0.0.1:4200/';
  await control('POST', '/webhooks', { space: 'space_local', url, events: ['space_content_updated'] });
  const { fired, deliveries } = await emulator.trigger({ type: 'space_content_updated' });
  const id = 'call' in fired ? fired.call : undefined;
  expect((await call(sample, id)).effects).toEqual([
    { type: 'delivery', time: sample.clock.now(), id: deliveries[0] },
  ]);
  expect((await control('GET', `/deliveries/${deliveries[0]}`)).body).toMatchObject({ call: id });
  // The sender's own id says nothing about a call.
  const own = await emulator.trigger({ type: 'space_content_updated', set: { eventId: 'evt_own' } });
  expect((await control('GET', `/deliveries/${own.deliveries[0]}`)).body).not.toHaveProperty('call');
  await emulator.close();
});

it('links a render caused by an action to the previous render', async () => {
  const sample = await startSample({
    fetch: async () => Response.json({ type: 'element', element: { type: 'block', children: [] } }),
  });
  const before = await sample.emulator.render({ component: 'counter' });
  const after = 'call' in before ? before.call : undefined;
  await sample.emulator.render({ component: 'counter', action: { action: 'add' }, ...(after && { after }) });
  const rendered = newest(sample, 'ui_render');
  expect((await call(sample, rendered)).cause).toEqual({ type: 'render', call: after });
  expect((await call(sample, after)).effects).toMatchObject([{ type: 'render', call: rendered }]);
});

it('records promises passed to waitUntil, even if they settle after the call', async () => {
  let finish = (): void => {};
  const sample = await startSample(
    createIntegration({
      fetch: (_, context) => {
        context.waitUntil(new Promise<void>((resolve) => (finish = resolve)));
        context.waitUntil(Promise.reject(new Error('The index is locked.')));
        return new Response('OK');
      },
    }),
  );
  await (await sample.get('/v1/integrations/sample/hook')).text();
  const id = newest(sample, 'fetch');
  const time = sample.clock.now();
  expect(await call(sample, id)).toMatchObject({
    headMs: 0,
    background: [{ time }, { time, durationMs: 0, error: 'The index is locked.' }],
  });
  await sample.clock.advance(250);
  finish();
  await expect.poll(async () => (await call(sample, id)).background?.[0]).toEqual({ time, durationMs: 250 });
});

it('links a setup event to the call that configured the installation through the API', async () => {
  const called = await createCalled();
  expect((await call(called, newest(called, 'installation_setup'))).cause).toEqual({
    type: 'setup',
    change: 'installed',
  });
  await (await called.get('/v1/integrations/sample/hook')).text();
  const configuredBy = newest(called, 'fetch');
  const path = '/integrations/sample/installations/installation_1';
  const headers = { 'x-platform-call': configuredBy };
  await called.call('PATCH', path, { body: { configuration: { key: 'x' } }, headers });
  await called.emulator.settled();
  const setup = newest(called, 'installation_setup');
  expect((await call(called, setup)).cause).toEqual({
    type: 'setup',
    change: 'configured',
    call: configuredBy,
  });
  expect((await call(called, configuredBy)).effects).toMatchObject([{ type: 'setup', call: setup }]);
});

it.each<[change: string, event: string, make: (sample: Sample) => Promise<unknown>]>([
  [
    'configured',
    'installation_setup',
    ({ control }) => control('PATCH', '/configuration', { set: { key: 'x' } }),
  ],
  ['uninstalled', 'installation_deleted', ({ emulator }) => emulator.uninstall('installation_1')],
])('records that a user has %s the installation', async (change, event, make) => {
  const called = await createCalled();
  await make(called);
  expect((await call(called, newest(called, event))).cause).toEqual({ type: 'setup', change });
});
