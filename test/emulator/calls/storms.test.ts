import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { openContent } from '../../../src/content/index.js';
import { createStorms } from '../../../src/emulator/index.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { integration, origin, startSample, type Sample } from '../emulator-under-test.js';

const endpoint = `${origin}/v1/integrations/sample/hook`;

/** Queues the next task from each task, `pages` times at most. */
const paging = (pages: number, schedule = 0) =>
  createIntegration({
    fetch: async (_, { integration }) => {
      await integration.queueTask({ task: { type: 'page', payload: { nth: 1 } }, schedule });
      return new Response('OK');
    },
    task: async ({ payload }, { integration }) => {
      const nth = (payload as { nth: number }).nth + 1;
      if (nth <= pages) await integration.queueTask({ task: { type: 'page', payload: { nth } }, schedule });
    },
  });

const withheld = ({ store }: Sample): string[] =>
  store.callLog
    .list({ limit: 5000 })
    .flatMap(({ call }) => (call.outcome === 'withheld' ? [call.error ?? ''] : []));

const tasksOf = ({ types }: Sample): number => types().filter((type) => type === 'task').length;

it('stops a task that queues itself over and over, and reports it', async () => {
  const sample = await startSample(paging(Infinity));
  await (await sample.get(endpoint)).text();
  await sample.emulator.settled();
  // The first one is not yet a repetition, and neither is the one that the request queued.
  expect(tasksOf(sample)).toBe(201);
  expect(withheld(sample)).toEqual([
    'This call was not run, because it has caused itself more than 200 times within 10 s: sample task page → sample task page.',
  ]);
  expect((await sample.control('GET', '/tasks')).body).toEqual([]);
  const [problem] = (await sample.control<{ groups: { reason: string }[] }>('GET', '/calls/problems')).body
    .groups;
  expect(problem?.reason).toContain('has caused itself');
  // Afterwards, the integration works as before.
  await sample.clock.advance(10_001);
  await (await sample.get(endpoint)).text();
  await sample.emulator.settled();
  expect(tasksOf(sample)).toBeGreaterThan(300);
});

it.each([
  ['pages that follow each other at once', 150, 0],
  ['a task that queues itself with a delay', 400, 1],
])('does not stop %s', async (_, pages, schedule) => {
  const sample = await startSample(paging(pages, schedule));
  await (await sample.get(endpoint)).text();
  for (let nth = 0; nth < pages * schedule; nth += 1) {
    await sample.clock.advance(1000);
    await sample.emulator.settled();
  }
  await sample.emulator.settled();
  expect([tasksOf(sample), withheld(sample)]).toEqual([pages, []]);
});

it('stops requests to the own public endpoint that cause each other', async () => {
  const sample = await startSample(createIntegration({ fetch: () => fetch(endpoint) }));
  const response = await sample.get(endpoint);
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
    508,
    'This call was not run, because 8 calls had caused each other one after another: sample fetch → sample fetch.',
  ]);
  expect(sample.types().filter((type) => type === 'fetch')).toHaveLength(9);
  expect(sample.calls.at(-1)?.event).not.toHaveProperty('request.headers.x-platform-call');
  // Requests that nothing caused are not counted.
  for (let nth = 0; nth < 30; nth += 1) await (await sample.get(endpoint)).text();
  expect(withheld(sample)).toHaveLength(31);
});

it('stops an installation that its own setup event changes', async () => {
  const script = createIntegration({
    events: {
      installation_setup: async ({ installationId }, { api, environment }) => {
        const configuration = environment.installation?.status === 'active' ? {} : { key: 'x' };
        await api.integrations.updateIntegrationInstallation('sample', installationId, { configuration });
      },
    },
  });
  const configurations = { account: { properties: { key: { type: 'string' as const } }, required: ['key'] } };
  const sample = await startSample(script, { integration: { ...integration, configurations } });
  await sample.emulator.settled();
  expect(withheld(sample)).toEqual([expect.stringContaining('8 calls had caused each other')]);
});

it('stops an import that its own sync event starts', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'README.md'), '# Welcome');
  const ids = { read: () => ({}), write() {} };
  const content = openContent({ folder, spaceId: 'space_local', clock: { now: () => 0 }, ids });
  const script = createIntegration({
    events: {
      space_gitsync_completed: async ({ spaceId }, { api }) => {
        await api.spaces.importGitRepository(spaceId, { url: 'https://git.example.com/a', ref: 'main' });
      },
    },
  });
  const sample = await startSample(script, { mount: () => content });
  await content.sync();
  await expect
    .poll(() => withheld(sample))
    .toContainEqual(expect.stringContaining('8 calls had caused each other'));
  content.close();
});

it('forgets repetitions after ten seconds', async () => {
  const clock = createVirtualClock();
  const { check } = createStorms();
  let id = 0;
  const next = () =>
    check({ id: `${id + 1}`, from: `${id++}`, name: 'a task b', installation: 'i' }, true, clock);
  for (let round = 0; round < 3; round += 1) {
    for (let nth = 0; nth < 199; nth += 1) expect(next()).toBeUndefined();
    await clock.advance(10_000);
  }
});
