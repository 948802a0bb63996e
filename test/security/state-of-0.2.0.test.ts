import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { checkOutOldVersion } from '../support/old-version.js';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const requestWithBody = 'call_1k84eqd5qfv5';

/** Every command that reads or changes what is stored; loading the saved state comes last. */
const commands = [
  ['config', 'get', '--json'],
  ['logs'],
  ['logs', '--json', '--space', 'space_local'],
  ['inspect', requestWithBody],
  ['inspect', 'dlv_1'],
  ['replay', requestWithBody],
  ['render', 'counter', '--json'],
  ['webhook', 'list', '--json'],
  ['webhook', 'deliveries', '--json'],
  ['trigger', 'space_content_updated', '--json'],
  ['pause'],
  ['resume'],
  ['state', 'list'],
  ['uninstall', '--site', 'site_local'],
  ['install', '--site', 'site_local'],
  ['state', 'save', 'after'],
  ['state', 'load', 'before'],
];

/** Prints the queued tasks as the console's API lists them. */
const askTasks = `import { readFileSync } from 'node:fs';
const { consoleOrigin, token } = JSON.parse(readFileSync('.platform/session.json', 'utf8'));
const response = await fetch(consoleOrigin + '/console/api/tasks', { headers: { 'X-Platform-Token': token } });
console.log('tasks', await response.text());`;

/** All stored values with this collection or table, parsed. */
function storedValues(file: string): Record<'tasks' | 'snapshots' | 'endpoints', unknown[]> {
  const database = new Database(file, { readonly: true });
  const read = (from: string): unknown[] =>
    (database.prepare(`SELECT CAST(value AS TEXT) AS value FROM ${from}`).all() as { value: string }[]).map(
      ({ value }) => JSON.parse(value),
    );
  const stored = {
    tasks: read("state WHERE CAST(collection AS TEXT) = 'tasks'"),
    snapshots: read("state WHERE CAST(collection AS TEXT) = 'snapshots' AND CAST(id AS TEXT) = 'before'"),
    endpoints: read('webhook_endpoint'),
  };
  database.close();
  return stored;
}

/** The stored task was due a day after the state was made. Here it is due in an hour, so it waits during the test. */
function postponeTask(file: string): void {
  const database = new Database(file);
  database
    .prepare(
      `UPDATE state SET value = CAST(replace(CAST(value AS TEXT), ?, ?) AS BLOB)
       WHERE CAST(collection AS TEXT) IN ('tasks', 'snapshots')`,
    )
    .run(['1795532492928', String(Date.now() + 3_600_000)]);
  database.close();
}

test('uses a .platform folder of version 0.2.0 without losing data', async () => {
  const folder = temporaryFolder();
  cpSync(join(fixtures, 'projects/author'), folder, { recursive: true });
  mkdirSync(join(folder, '.platform'), { mode: 0o700 });
  const file = join(folder, '.platform/state.db');
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, 'state-0.2.0/state.db.gz'))), { mode: 0o600 });
  writeFileSync(join(folder, '.platform/.gitignore'), '*\n');
  writeFileSync(join(folder, 'ask-tasks.mjs'), askTasks);
  postponeTask(file);
  const before = storedValues(file);
  const installation = { installation: 'installation_1' };
  const space = { type: 'space', id: 'space_local' };
  expect(before).toMatchObject({ tasks: [{ place: installation }], endpoints: [{ place: space }] });

  const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
  const script = commands
    .map(
      (words) =>
        `echo '$ ${words.join(' ')}'; "${process.execPath}" "${platform}" ${words.join(' ')} || exit 9`,
    )
    .concat(`"${process.execPath}" ask-tasks.mjs || exit 9`)
    .join('; ');
  const { code, stdout, stderr } = await runPlatform(['dev', '--port', '0', '--exec', script], {
    cwd: folder,
    limitMs: 120_000,
  });
  expect([code, stderr, stdout]).toEqual([0, expect.any(String), expect.any(String)]);
  expect(stdout).toContain('"target":{"installation":"installation_1"},"status":"pending"');
  expect(stdout).toContain('kept-body');
  expect(stdout).toMatch(/space_content_updated +200 .*call_1k84eqcub685/);
  expect(stdout).toContain(`"target":${JSON.stringify(space)}`);
  // The event reaches the endpoint: its target is still the space.
  expect(stdout).toMatch(/"deliveries":\["dlv_2"\]/);
  expect(stdout).toMatch(/tasks \[\{"id":"task_1k84eqd408ev".*"target":\{"installation":"installation_1"\}/);
  expect(stdout).toMatch(/^before /m);

  const after = storedValues(file);
  const renamed = JSON.parse(JSON.stringify(before).replaceAll('"place":', '"target":')) as typeof before;
  expect(after.tasks).toEqual(renamed.tasks);
  expect(after.snapshots).toEqual(renamed.snapshots);
  expect(after.endpoints).toEqual(renamed.endpoints);
  console.log(`state of 0.2.0: ${commands.length} of ${commands.length} commands take it over, nothing lost`);
});

test('0.2.0 rejects a .platform folder of this version, names the reason and changes nothing', async (context) => {
  const old = checkOutOldVersion();
  if ('missing' in old) return context.skip(old.missing);
  onTestFinished(old.close);
  const cwd = temporaryFolder();
  cpSync(join(fixtures, 'projects/author'), cwd, { recursive: true });
  const here = await runPlatform(['dev', '--port', '0', '--exec', 'true'], { cwd });
  expect([here.code, here.stderr]).toEqual([0, expect.any(String)]);
  const folder = join(cwd, '.platform');
  const files = (): unknown => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);
  const before = files();
  const words = [...old.command, 'dev', '--port', '0', '--exec', 'true'];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/written by a newer version.*\n.*Update/)]);
  expect(files()).toEqual(before);
});
