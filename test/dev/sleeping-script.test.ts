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

test('wakes a script only for events that its last build may handle', async () => {
  const log: string[] = [];
  const limit = createAwakeLimit(1);
  const create = (name: string, lacking: string[]) => {
    const script = createSleepingScript(
      {
        call: async ({ event }: { event: { type: string } }) =>
          event.type === 'unknown'
            ? Response.json({ error: 'Integration does not handle "unknown" events' }, { status: 406 })
            : new Response(event.type, { status: event.type === 'refused' ? 406 : 200 }),
        definedIds: () => undefined,
        unfinishedCalls: () => 0,
      } as never,
      limit,
      {
        ids: () => undefined,
        lack: (type) => lacking.includes(type),
        learn: (type) => void lacking.push(type),
      },
    );
    script.control({ start: async () => void log.push(`${name} wakes`), stop: async () => {} });
    return async (type: string) => {
      const response = await script.host.call({ event: { type } } as never);
      return `${response.status} ${await response.text()}`;
    };
  };
  const [a, b] = [create('a', ['site_view']), create('b', [])];
  expect(await a('site_view')).toBe('406 {"error":"Integration does not handle \\"site_view\\" events"}');
  expect(await a('space_view')).toBe('200 space_view');
  await b('site_view');
  expect(log).toEqual(['a wakes', 'b wakes']);
  // A script that does not say what it handles is asked once. A handler may respond with 406, too.
  for (const type of ['unknown', 'unknown', 'refused']) expect(await a(type)).toMatch(/^406/);
  await b('site_view');
  expect(await a('unknown')).toMatch(/^406/);
  expect(log).toEqual(['a wakes', 'b wakes', 'a wakes', 'b wakes']);
  await a('refused');
  expect(log).toHaveLength(5);
});
