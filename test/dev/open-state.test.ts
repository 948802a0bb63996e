import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openState } from '../../src/dev/open-state.js';
import type { Store } from '../../src/store/store.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const open = (fresh: boolean, environment?: string): Store =>
  openState(
    {
      state: 'disk',
      fresh,
      clock: systemClock,
      process: { userId: process.getuid?.() },
      ...(environment !== undefined && { environment }),
    },
    folder,
    () => {},
  );

test('stores a separate state for each environment', async () => {
  const environments = [undefined, 'staging', '../production'];
  for (const [index, environment] of environments.entries()) {
    const store = open(false, environment);
    expect(store.state.list('installations')).toEqual([]);
    store.state.put('installations', 'a', { index });
    await store.close();
  }
  for (const [index, environment] of environments.entries()) {
    const store = open(false, environment);
    expect(store.state.list('installations')).toEqual([{ id: 'a', value: { index } }]);
    await store.close();
  }
  const fresh = open(true, 'staging');
  expect(fresh.state.list('installations')).toEqual([]);
  await fresh.close();
  const untouched = open(false);
  expect(untouched.state.list('installations')).toHaveLength(1);
  await untouched.close();
  expect(readdirSync(folder).filter((file) => file.endsWith('.db'))).toEqual([
    'state-..%2Fproduction.db',
    'state-staging.db',
    'state.db',
  ]);
});

test('clears the state on a fresh start, but keeps saved states', async () => {
  const first = open(false);
  first.state.put('installations', 'a', { configuration: {} });
  first.state.put('snapshots', 'before', { savedAt: 1, collections: {} });
  first.state.put('snapshots', 'after', { savedAt: 2, collections: {} });
  await first.close();
  for (const round of [1, 2]) {
    const fresh = open(true);
    expect([round, fresh.state.list('installations'), fresh.state.list('snapshots')]).toEqual([
      round,
      [],
      [
        { id: 'before', value: { savedAt: 1, collections: {} } },
        { id: 'after', value: { savedAt: 2, collections: {} } },
      ],
    ]);
    await fresh.close();
  }
});

test('renames a corrupt state file on a fresh start instead of deleting it', async () => {
  const damaged = 'not a database '.repeat(500);
  writeFileSync(join(folder, 'state.db'), damaged, { mode: 0o600 });
  const fresh = open(true);
  expect(fresh.state.list('snapshots')).toEqual([]);
  await fresh.close();
  expect(readFileSync(join(folder, 'state.db-unreadable'), 'utf8')).toBe(damaged);
});

test('leaves no extra files behind after a fresh start if there are no saved states', async () => {
  const first = open(false);
  first.state.put('installations', 'a', {});
  await first.close();
  const fresh = open(true);
  expect(fresh.state.list('installations')).toEqual([]);
  await fresh.close();
  expect(readdirSync(folder).filter((name) => /fresh|unreadable/.test(name))).toEqual([]);
});
