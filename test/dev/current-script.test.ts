import { expect, test } from 'vitest';
import { createBuiltSources, createCurrentScript } from '../../src/dev/current-script.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { environment, event, script } from '../sandbox/sample-call.js';
import { startSandbox } from '../sandbox/start-sandbox.js';

test('while the script is being built, calls wait; without a script, events have no handler', async () => {
  // None of these calls may reach it.
  const slot = createCurrentScript({} as Sandbox, createBuiltSources());
  const request = { id: 'call_1', event, environment };
  const view = {
    ...request,
    event: { type: 'task', eventId: 'e', installationId: 'i', task: { type: 't' } } as const,
  };
  const statuses = async (): Promise<number[]> =>
    Promise.all([request, view].map(async (call) => (await slot.call(call)).status));
  expect(await statuses()).toEqual([503, 503]);
  slot.leaveEmpty();
  expect(await statuses()).toEqual([503, 406]);
});

test('a script that is still loading is dropped when the slot is emptied', async () => {
  const { sandbox } = await startSandbox();
  const slot = createCurrentScript(sandbox, createBuiltSources());
  const put = slot.put({
    ...script(`return new Response('one')`),
    map: '',
    files: [],
    imports: new Map(),
    settings: [],
    sizes: [],
  });
  slot.leaveEmpty();
  expect(await put).toBe('superseded');
  expect((await slot.call({ id: 'call_1', event, environment })).status).toBe(503);
});

test('a source is found by its path on disk, if its name has special characters', async () => {
  const { sandbox } = await startSandbox();
  const sources = createBuiltSources();
  const slot = createCurrentScript(sandbox, sources);
  const map = JSON.stringify({ sources: ['src/%28auth%29/caf%C3%A9.ts'], sourcesContent: ['let a;'] });
  await slot.put({
    ...script(`return new Response('one')`),
    map,
    files: [],
    imports: new Map(),
    settings: [],
    sizes: [],
  });
  expect(sources.of('src/(auth)/café.ts')).toBe('let a;');
});
