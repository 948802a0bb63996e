import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** What a person who used 0.1.0 has: a configuration, calls, a body, a webhook endpoint, a delivery, a saved state. */
const commands = [
  ['config', 'get', 'channel'],
  ['logs'],
  ['webhook', 'list', '--json'],
  ['webhook', 'deliveries', '--json'],
  ['state', 'list'],
  ['inspect', 'call_1k820jc3beqe'],
];

test('a .platform folder that 0.1.0 made is used without loss', async () => {
  const folder = temporaryFolder();
  cpSync(join(fixtures, 'projects/author'), folder, { recursive: true });
  mkdirSync(join(folder, '.platform'), { mode: 0o755 });
  const state = gunzipSync(readFileSync(join(fixtures, 'state-0.1.0/state.db.gz')));
  writeFileSync(join(folder, '.platform/state.db'), state, { mode: 0o600 });
  writeFileSync(join(folder, '.platform/.gitignore'), '*\n');
  // What a 0.1.0 that was killed leaves.
  const session = {
    version: 1,
    pid: 2 ** 22 + 1,
    platformVersion: '0.1.0',
    origin: 'http://127.0.0.1:1',
    token: 'a',
  };
  writeFileSync(join(folder, '.platform/session.json'), JSON.stringify(session), { mode: 0o600 });

  const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
  const script = commands
    .map((words) => `"${process.execPath}" "${platform}" ${words.join(' ')} || exit 9`)
    .join('; ');
  const { code, stdout, stderr } = await runPlatform(['dev', '--port', '0', '--exec', script], {
    cwd: folder,
    limitMs: 60_000,
  });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(statSync(join(folder, '.platform')).mode & 0o777).toBe(0o700);
  expect(stdout).toMatch(/^general$/m);
  expect(stdout).toMatch(/space_content_updated +200 .*call_1k820jahd5rf/);
  expect(stdout).toContain('"http://127.0.0.1:9/hook"');
  expect(stdout).toMatch(/"eventType": ?"space_content_updated"/);
  expect(stdout).toMatch(/^before /m);
  expect(stdout).toContain('kept-body');
});
