import { expect, it } from 'vitest';
import { validate } from '../../../src/protocol/generated/validate-event.js';
import { createCalled, shared } from './called.js';
import { startSample } from '../emulator-under-test.js';

it('runs a task only after its delay', async () => {
  const { call, clock, events, emulator } = await createCalled();
  const task = { type: 'sync', payload: { page: 2 } };
  const queued = await call('POST', '/integrations/sample/tasks', { body: { task, schedule: 60 } });
  expect(queued.status).toBe(201);
  const before = events().length;
  await clock.advance(59_999);
  expect(events().length).toBe(before);
  await clock.advance(1);
  await emulator.settled();
  expect(events().slice(before)).toMatchObject([{ type: 'task', task }]);
  await clock.advance(86_400_000);
  expect(events().length).toBe(before + 1);
});

it('delays a task while its installation is paused', async () => {
  const { call, control, clock, types, emulator, tokens } = await createCalled();
  const body = { task: { type: 'sync' } };
  emulator.pause('installation_1');
  await call('POST', '/integrations/sample/tasks', { body, token: tokens.first });
  await clock.advance(1000);
  await emulator.settled();
  expect(types()).not.toContain('task');
  const [waiting] = (await control<{ id: string }[]>('GET', '/tasks')).body;
  expect((await control('POST', `/tasks/${waiting?.id}/run`)).status).toBe(409);
  emulator.resume('installation_1');
  await emulator.settled();
  expect(types().at(-1)).toBe('task');
});

it.each([
  ['the integration', 'integration', '', undefined],
  ['an installation', 'first', 'installation_1', 'installation_1'],
] as const)('assigns a queued task to %s that owns the token', async (_, token, named, inPlay) => {
  const { call, calls, emulator, tokens } = await createCalled();
  const body = { task: { type: 'sync' } };
  await call('POST', '/integrations/sample/tasks', { body, token: tokens[token] });
  await emulator.settled();
  const last = calls.at(-1);
  expect(last?.event).toMatchObject({ type: 'task', installationId: named });
  expect(last?.environment.installation?.id).toBe(inPlay);
  expect([validate(last?.event), validate.errors]).toEqual([true, null]);
});

it('lists a task with its state, runs it immediately and cancels it', async () => {
  const { call, control, clock, types, emulator, tokens } = await createCalled();
  const queue = async (type: string, schedule: number, token?: string): Promise<void> =>
    void (await call('POST', '/integrations/sample/tasks', {
      body: { task: { type }, schedule },
      ...(token !== undefined && { token }),
    }));
  emulator.pause('installation_1');
  await queue('daily', 86_400);
  await queue('hourly', 3600);
  await queue('paused', 7200, tokens.first);
  const list = async () =>
    (await control<{ id: string; state: string; task: { type: string } }[]>('GET', '/tasks')).body;
  const [hourly, paused, daily] = await list();
  expect([hourly, paused, daily].map((one) => [one?.task.type, one?.state])).toEqual([
    ['hourly', 'waiting'],
    ['paused', 'paused'],
    ['daily', 'waiting'],
  ]);
  const ran = await control<{ call: string }>('POST', `/tasks/${hourly?.id}/run`);
  expect([ran.status, ran.body.call]).toEqual([200, expect.stringMatching(/^call_/)]);
  expect(types().at(-1)).toBe('task');
  expect((await control('DELETE', `/tasks/${daily?.id}`)).status).toBe(204);
  expect((await control('DELETE', `/tasks/${daily?.id}`)).body).toMatchObject({ code: 'unknown-task' });
  expect((await list()).map(({ id }) => id)).toEqual([paused?.id]);
  const before = types().length;
  await clock.advance(86_400_000);
  await emulator.settled();
  expect(types().length).toBe(before);
});

it('drops the tasks of a removed installation, and explains why one cannot run', async () => {
  const { call, control, emulator, tokens } = await createCalled();
  const queue = async (token: string): Promise<string> => {
    const { body } = await call('POST', '/integrations/sample/tasks', {
      body: { task: { type: 'sync' }, schedule: 3600 },
      token,
    });
    return (body as { id: string }).id;
  };
  const gone = await queue(tokens.second);
  const kept = await queue(tokens.first);
  await emulator.uninstall('installation_2');
  expect((await control<{ id: string }[]>('GET', '/tasks')).body.map(({ id }) => id)).toEqual([kept]);
  expect(await control('POST', `/tasks/${gone}/run`)).toMatchObject({
    status: 404,
    body: { code: 'unknown-task', error: expect.stringContaining('lost its installation') },
  });
});

it('keeps a task through a restart', async () => {
  const first = await createCalled();
  await first.call('POST', '/integrations/sample/tasks', { body: { task: { type: 'late' }, schedule: 10 } });
  await first.emulator.close();
  const second = await startSample(undefined, { store: first.store, integration: shared });
  await second.clock.advance(10_000);
  await second.emulator.settled();
  expect(second.events()).toMatchObject([{ type: 'task', task: { type: 'late' } }]);
});

const day = 86_400_000;

it.each([
  ['back a day', -day],
  ['back 40 days', -40 * day],
])('runs a task after its delay even if the clock is set %s', async (_, jump) => {
  const { call, clock, types, emulator } = await createCalled();
  const body = { task: { type: 'sync' }, schedule: 60 };
  await call('POST', '/integrations/sample/tasks', { body });
  await clock.advance(30_000);
  await clock.jump(jump);
  await call('POST', '/integrations/sample/tasks', { body });
  await clock.advance(29_999);
  expect(types()).not.toContain('task');
  await clock.advance(1);
  await emulator.settled();
  expect(types().filter((type) => type === 'task')).toHaveLength(1);
  await clock.advance(30_000);
  await emulator.settled();
  expect(types().filter((type) => type === 'task')).toHaveLength(2);
});

it.each([
  ['the computer was asleep when it was due', day],
  ['the clock is set forward 40 days', 40 * day],
])('runs an overdue task immediately if %s', async (_, jump) => {
  const { call, clock, types, emulator } = await createCalled();
  await call('POST', '/integrations/sample/tasks', { body: { task: { type: 'sync' }, schedule: 3600 } });
  await clock.jump(jump);
  await emulator.settled();
  expect(types()).toContain('task');
});

it("waits no longer than a task's delay if the clock is set back", async () => {
  const first = await createCalled();
  await first.clock.jump(40 * day);
  const body = { task: { type: 'late' }, schedule: 10 };
  await first.call('POST', '/integrations/sample/tasks', { body });
  await first.emulator.close();
  const second = await startSample(undefined, { store: first.store, integration: shared });
  await second.clock.advance(9999);
  expect(second.types()).toEqual([]);
  await second.clock.advance(1);
  await second.emulator.settled();
  expect(second.types()).toEqual(['task']);
});

it.each([
  [{}],
  [{ task: 'x' }],
  [{ task: {} }],
  [{ task: { type: 'x' }, schedule: 86_401 }],
  [{ task: { type: 'x' }, schedule: -1 }],
  [{ task: { type: 'x' }, schedule: null }],
])('rejects the task request %j', async (body) => {
  const { call } = await createCalled();
  expect((await call('POST', '/integrations/sample/tasks', { body })).status).toBe(400);
});
