import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

test('writes a complete code cache even if the first command only prints help', () => {
  const folder = temporaryFolder();
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
