import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DueItem } from '../../../src/contract/routes/state.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { openSession, type OpenSession } from '../../support/open-session.js';

let session: OpenSession;
beforeEach(async () => {
  session = await openSession(
    createIntegration({
      events: { space_content_updated: async () => {} },
      async task({ payload }) {
        if ((payload as { revision?: string }).revision === 'bad') throw new Error('Nothing to summarize.');
      },
    }),
    { outside: async () => new Response('', { status: 503 }) },
  );
});
afterEach(() => session.close());

async function queue(revision: string): Promise<{ task: string; call: string }> {
  const { json } = await session.cli(['trigger', 'space_content_updated', '--json']);
  const call = (json['events'] as { fired: { call: string } }[])[0]?.fired.call ?? '';
  const token = session.calls.at(-1)?.environment.apiTokens.integration;
  const response = await fetch(`${session.origin}/api/v1/integrations/sample/tasks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-platform-call': call,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ task: { type: 'summarize', payload: { revision } }, schedule: 3600 }),
  });
  return { task: ((await response.json()) as { id: string }).id, call };
}

test('lists when a task is due, what queued it and its payload', async () => {
  expect((await session.cli(['tasks', 'list'])).stdout).toContain('context.integration.queueTask(…)');
  const { task, call } = await queue('rev_1');
  const { code, stdout } = await session.cli(['tasks', 'list'], { clock: session.clock });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^in 1 h +summarize {2}task_/);
  expect(stdout).toMatch(/due at \d{4}-\d\d-\d\d \d\d:\d\d/);
  for (const part of [task, `queued by ${call}`, '{"revision":"rev_1"}']) expect(stdout).toContain(part);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('lists retries and what expires with the tasks, next due first, with causes', async () => {
  const { clock } = session;
  const { task } = await queue('rev_1');
  const [installed] = session.store.state.list<object>('installations');
  session.store.state.put('installations', installed?.id ?? '', {
    ...installed?.value,
    configuration: { account: { access_token: 'a', expires_at: clock.now() + 7_200_000 } },
  });
  const at = ['--url', 'https://receiver.example/', '--event', 'site_view', '--site', 'site_local'];
  const { endpoints } = (await session.cli(['webhook', 'add', ...at, '--json'])).json as {
    endpoints: { id: string }[];
  };
  const id = endpoints[0]?.id ?? '';
  await session.cli(['webhook', 'rotate', id]);
  await session.cli(['trigger', 'site_view']);
  await expect
    .poll(async () => (await session.cli(['tasks', 'list'], { clock })).stdout)
    .toMatch(
      new RegExp(
        String.raw`^in 1 s +retry: site_view  dlv_\d+\n.*, the receiver responded with 503\n` +
          String.raw`in 1 h +summarize  ${task}\n(?: .*\n)*in 2 h +expiry: account  \w+\n.*\nin 1 d +expiry: previous webhook secret  ${id}\n`,
      ),
    );
  const { now } = (await session.cli(['clock', 'show', '--json'])).json as { now: number };
  await session.clock.advance(7_200_000);
  const { due } = (await session.cli(['tasks', 'list', '--json'])).json as { due: DueItem[] };
  expect(due.flatMap(({ what, at }) => (what === 'expiry' ? at - now : []))).toEqual([86_400_000]);
});

test("runs a task immediately, and exits with 1 if the task's call fails", async () => {
  const good = await session.cli(['tasks', 'run', (await queue('rev_1')).task]);
  expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(/^Ran task_\w+\. {2}call_\w+\n$/)]);
  const bad = await session.cli(['tasks', 'run', (await queue('bad')).task]);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('Nothing to summarize.');
  expect((await session.cli(['tasks', 'list', '--json'])).json).toMatchObject({ tasks: [] });
});

test('cancels a queued task', async () => {
  const { task } = await queue('rev_1');
  const cancelled = await session.cli(['tasks', 'cancel', task]);
  expect([cancelled.code, cancelled.stdout]).toEqual([0, `Cancelled ${task}.\n`]);
  const again = await session.cli(['tasks', 'cancel', task]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('platform tasks list')]);
});
