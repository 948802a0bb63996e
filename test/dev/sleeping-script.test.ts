import { expect, test } from 'vitest';
import { createAwakeLimit } from '../../src/dev/sleeping-script.js';

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
