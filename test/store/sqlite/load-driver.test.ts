import { createRequire } from 'node:module';
import { platform } from 'node:os';
import { expect, test, vi } from 'vitest';
import { loadDriver } from '../../../src/store/sqlite/load-driver.js';

const load = createRequire(import.meta.url);
const loadForLibsql = createRequire(load.resolve('libsql'));

/** Tests that run in the same process have already loaded the driver. */
function forgetDriver(): void {
  for (const name of ['libsql', '@neon-rs/load', 'detect-libc'])
    delete load.cache[loadForLibsql.resolve(name)];
}

test.runIf(platform() === 'linux')('loads libsql without a report on the process', () => {
  forgetDriver();
  const report = vi.spyOn(process.report, 'getReport');
  const Driver = loadDriver();
  expect(report).not.toHaveBeenCalled();
  const database = new Driver(':memory:');
  expect(database.prepare('SELECT 1 + 1 AS sum').get()).toMatchObject({ sum: 2 });
  database.close();
});

test('other code still receives the packages that were replaced for libsql', () => {
  forgetDriver();
  loadDriver();
  expect(loadForLibsql('detect-libc')).toHaveProperty('versionSync');
  expect(loadForLibsql('@neon-rs/load')).toHaveProperty('load');
});
