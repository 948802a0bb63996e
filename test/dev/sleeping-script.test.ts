import { expect, test } from 'vitest';
import { createAwakeLimit, createSleepingScript } from '../../src/dev/sleeping-script.js';

const sleeperOf = (name: string, log: string[], isBusy = false) => ({
  isBusy: () => isBusy,
  sleep: async () => void log.push(`${name} sleeps`),
});

test('lets the script sleep that was not used for longest, unless it is busy', async () => {
  const log: string[] = [];
  const limit = createAwakeLimit(2);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => sleeperOf(name, log, name === 'b'));
  const start = async (one: typeof a): Promise<void> => one && limit.start(one, async () => {});
  await start(a);
  await start(b);
  if (a) limit.use(a);
  await start(c);
  expect(log).toEqual(['a sleeps']);
  await start(d);
  expect(log).toEqual(['a sleeps', 'c sleeps']);
});

test('starts two scripts at a time, the latest first, and none after it is closed', async () => {
  const log: string[] = [];
  const limit = createAwakeLimit();
  const ends: (() => void)[] = [];
  const begin = (name: string): Promise<void> =>
    limit.start(sleeperOf(name, log), () => {
      log.push(name);
      return new Promise((end) => ends.push(end));
    });
  const all = ['a', 'b', 'c', 'd', 'e'].map(begin);
  expect(log).toEqual(['a', 'b']);
  ends[0]?.();
  await all[0];
  expect(log).toEqual(['a', 'b', 'e']);
  limit.close();
  for (const end of ends) end();
  await Promise.all(all);
  expect(log).toEqual(['a', 'b', 'e']);
});

test('wakes a script only for events that its last build handles', async () => {
  const log: string[] = [];
  const limit = createAwakeLimit(1);
  const create = (name: string, events: string[]) => {
    let runs = false;
    const script = createSleepingScript(
      {
        call: async () => new Response(`${name} handled it`),
        definedIds: () =>
          runs ? { components: [], contentSources: [], events, eventKeys: events } : undefined,
        unfinishedCalls: () => 0,
      } as never,
      limit,
    );
    script.control({
      async start() {
        runs = true;
        log.push(`${name} wakes`);
      },
      async stop() {
        runs = false;
      },
    });
    return (type: string) => script.host.call({ event: { type } } as never);
  };
  const [a, b] = [create('a', ['space_view']), create('b', [])];
  // What a script handles is not known before it was awake.
  expect(await (await a('site_view')).text()).toBe('a handled it');
  await b('fetch');
  const ignored = await a('site_view');
  expect([ignored.status, await ignored.json()]).toEqual([
    406,
    { error: 'Integration does not handle "site_view" events' },
  ]);
  expect(log).toEqual(['a wakes', 'b wakes']);
  await a('space_view');
  await b('task');
  expect(log).toEqual(['a wakes', 'b wakes', 'a wakes', 'b wakes']);
});
