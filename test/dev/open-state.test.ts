import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openState } from '../../src/dev/open-state.js';
import { openSqlite } from '../../src/store/sqlite/sqlite.js';
import type { Store } from '../../src/store/store.js';
import { followFileRules, type RuledSystem } from '../support/file-rules.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let rules: RuledSystem | undefined;

/** Copies the files, because this process still has them open. */
function endProcess(): void {
  const next = temporaryFolder();
  cpSync(folder, next, { recursive: true });
  folder = next;
  if (rules) followFileRules(rules, folder);
}

const openFresh = (environment?: string): Store => {
  endProcess();
  return open(true, environment);
};

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

describe.each([undefined, 'Windows'] as const)('by the rules of %s', (system) => {
  beforeEach(() => {
    folder = temporaryFolder();
    rules = system;
  });

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
    const fresh = openFresh('staging');
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
      const fresh = openFresh();
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

  /** Replaces bytes in the state file. */
  const damage = (at: number, bytes: Uint8Array): void => {
    const file = join(folder, 'state.db');
    const whole = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    writeFileSync(file, Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + bytes.length)]), {
      mode: 0o600,
    });
  };

  test.each([
    ['corrupt', () => damage(0, Buffer.from('not a database '.repeat(500)))],
    ['newer', () => damage(60, Buffer.from([0, 0, 1, 0]))],
  ])('renames a %s state file on a fresh start instead of deleting it', async (_, spoil) => {
    await open(false).close();
    spoil();
    const spoilt = readFileSync(join(folder, 'state.db'));
    const fresh = openFresh();
    expect(fresh.state.list('snapshots')).toEqual([]);
    await fresh.close();
    expect(readFileSync(join(folder, 'state.db-unreadable'))).toEqual(spoilt);
  });

  test('removes what it clears from the disk', async () => {
    const first = open(false);
    first.state.put('installations', 'a', { token: 'secret'.repeat(100_000) });
    await first.close();
    const fresh = openFresh();
    await fresh.close();
    const left = readFileSync(join(folder, 'state.db'));
    expect([left.includes('secret'), left.length < 200_000]).toEqual([false, true]);
  });

  test('keeps saved states if another part of the file is corrupt', async () => {
    const first = open(false);
    first.state.put('snapshots', 'before', {});
    await first.close();
    const db = openSqlite(join(folder, 'state.db'));
    const [page] = db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'traffic_body'").first() ?? [];
    const [size] = db.prepare('PRAGMA page_size').first() ?? [];
    db.close();
    damage((Number(page) - 1) * Number(size), Buffer.alloc(Number(size), 0xff));
    if (system === 'Windows') {
      expect(() => openFresh()).toThrow('could not be renamed');
      return;
    }
    const fresh = openFresh();
    expect(fresh.state.list('snapshots')).toEqual([{ id: 'before', value: {} }]);
    await fresh.close();
  });

  test('leaves no extra files behind after a fresh start if there are no saved states', async () => {
    const first = open(false);
    first.state.put('installations', 'a', {});
    await first.close();
    const fresh = openFresh();
    expect(fresh.state.list('installations')).toEqual([]);
    await fresh.close();
    expect(readdirSync(folder).filter((name) => /fresh|unreadable/.test(name))).toEqual([]);
  });
});
