import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openState } from '../../src/dev/open-state.js';
import type { Store } from '../../src/store/store.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-state-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (fresh: boolean): Store =>
  openState(
    { state: 'disk', fresh, clock: systemClock, process: { userId: process.getuid?.() } },
    folder,
    () => {},
  );

test('a fresh start empties the state and keeps the saved states', async () => {
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

test('a fresh start keeps a damaged file under another name', async () => {
  const damaged = 'not a database '.repeat(500);
  writeFileSync(join(folder, 'state.db'), damaged, { mode: 0o600 });
  const fresh = open(true);
  expect(fresh.state.list('snapshots')).toEqual([]);
  await fresh.close();
  expect(readFileSync(join(folder, 'state.db-unreadable'), 'utf8')).toBe(damaged);
});

test('without saved states, a fresh start leaves no other file', async () => {
  const first = open(false);
  first.state.put('installations', 'a', {});
  await first.close();
  const fresh = open(true);
  expect(fresh.state.list('installations')).toEqual([]);
  await fresh.close();
  expect(readdirSync(folder).filter((name) => /fresh|unreadable/.test(name))).toEqual([]);
});
