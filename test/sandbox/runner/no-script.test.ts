import { expect, test } from 'vitest';
import { environment, event, obedient, script } from '../sample-call.js';
import { startSandbox, type Started } from '../start-sandbox.js';

const building = { error: 'It is being built.', status: 503, eventStatus: 503 };
const none = { error: 'There is none.', status: 503, eventStatus: 406 };

const request = { id: 'call_1', event, environment };
const task = {
  ...request,
  event: { type: 'task', eventId: 'e', installationId: 'i', task: { type: 't' } } as const,
};

const responses = ({ sandbox }: Started): Promise<string[]> =>
  Promise.all(
    [request, task].map(async (call) => {
      const response = await sandbox.call(call);
      return `${response.status} ${await response.text()}`;
    }),
  );

test('immediately rejects calls, and gives the reason, until the first script has loaded', async () => {
  const started = await startSandbox({ noScript: building });
  expect(await responses(started)).toEqual(Array(2).fill('503 {"error":"It is being built."}'));
  const loading = started.sandbox.load(script(`return new Response('one')`));
  expect(await responses(started)).toEqual(Array(2).fill('503 {"error":"It is being built."}'));
  started.sandbox.explain({ ...building, error: 'It failed.' });
  expect(await responses(started)).toEqual(Array(2).fill('503 {"error":"It failed."}'));
  await loading;
  started.sandbox.explain(building);
  expect(await responses(started)).toEqual(Array(2).fill('200 one'));
});

test('reports that events have no handler if there is no script', async () => {
  const started = await startSandbox({ noScript: building });
  started.sandbox.unload(none);
  expect(await responses(started)).toEqual([
    '503 {"error":"There is none."}',
    '406 {"error":"There is none."}',
  ]);
});

test('cancels the loading of a new script if the script is removed', async () => {
  const started = await startSandbox();
  const loading = started.sandbox.load(script(`return new Response('one')`));
  started.sandbox.unload(none);
  expect(await loading).toBe('superseded');
  expect(await responses(started)).toHaveLength(2);
  expect(started.sandbox.pid()).toBeUndefined();
});

test('lets a removed script finish its calls before its process stops', async () => {
  const started = await startSandbox();
  const { sandbox, send, logged, logs } = started;
  await sandbox.load(
    script(
      `console.log('begun'); await new Promise((ok) => setTimeout(ok, 200)); return new Response('one')`,
    ),
  );
  const pid = sandbox.pid() ?? 0;
  const begun = send('');
  await logged('begun');
  sandbox.unload(none);
  expect(await begun).toEqual({ status: 200, text: 'one' });
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(logs.filter(({ text }) => text.includes('unexpectedly'))).toEqual([]);
  await sandbox.load(obedient);
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
});

test('loads a new script even if writing another script to the disk fails', async () => {
  const { sandbox, send, folder } = await startSandbox();
  const loading = sandbox.load(obedient);
  const full = {
    get code(): string {
      throw new Error(`No space left in ${folder}`);
    },
  };
  await expect(sandbox.load(full)).rejects.toThrow('No space left');
  expect(await loading).toBe('loaded');
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
