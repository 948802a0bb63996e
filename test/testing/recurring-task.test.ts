import { createIntegration, createRecurringTask } from 'integration-platform';
import { createTestPlatform, createVirtualClock } from 'integration-platform/testing';
import { expect, onTestFinished, test } from 'vitest';

const HOUR = 3_600_000;

test.each([
  ['every hour', HOUR],
  ['less often than a task may be delayed', 60 * HOUR],
])('runs %s once, although calls start it together and tasks are repeated', async (_, every) => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const begin = clock.now();
  const runs: number[] = [];
  const sync = createRecurringTask('sync', (now) => now + every);
  const platform = await createTestPlatform({
    clock,
    manifest: {
      name: 'sync',
      title: 'Sync',
      description: 'Repeats its work.',
      organization: 'acme',
      visibility: 'private',
      scopes: [],
    },
    integration: createIntegration({
      async fetch(_request, context) {
        await Promise.all([sync.start(context), sync.start(context)]);
        return new Response('started');
      },
      async task(task, context) {
        for (const one of [{ type: 'other' }, task, task])
          if (await sync.isDue(one, context)) runs.push(clock.now() - begin);
        // Another call that began earlier overwrites the configuration.
        const { integration, installation } = context.environment;
        if (installation && runs.length % 2 === 1) {
          const { id, configuration } = installation;
          await context.api.integrations.updateIntegrationInstallation(integration.name, id, {
            configuration,
          });
        }
      },
    }),
  });
  onTestFinished(() => platform.close());
  await platform.install();
  for (const path of ['/', '/again']) expect(await (await platform.fetch(path)).text()).toBe('started');
  for (let ms = 0; ms < 10 * every; ms += HOUR) {
    await clock.advance(HOUR);
    await platform.settled();
  }
  expect(runs).toEqual(Array.from({ length: 10 }, (_, index) => (index + 1) * every));
});
