import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

test('writes a complete code cache even if the first command only prints help', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-cache-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // A cache inside of the current folder is not used.
  const [project, caches] = [join(folder, 'project'), join(folder, 'caches')];
  for (const path of [project, caches]) mkdirSync(path);
  const cachedAfter = (...words: string[]): string[] => {
    execFileSync(process.execPath, [platform, ...words], {
      cwd: project,
      env: { ...process.env, XDG_CACHE_HOME: caches },
      stdio: 'ignore',
    });
    return readdirSync(join(caches, 'integration-platform')).map((name) => name.replace(/^.*\d/, ''));
  };
  expect(cachedAfter('explain', '--help')).toEqual(['--help.cache']);
  expect(cachedAfter('explain', '-h')).toEqual(['--help.cache']);
  expect(cachedAfter('explain', 'manifest/syntax').toSorted()).toEqual(['--help.cache', 'explain.cache']);
});
