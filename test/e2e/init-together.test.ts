import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const from = fileURLToPath(new URL('../fixtures/foreign/embed', import.meta.url));

test('runs several init commands at once in the same missing parent folder without conflicts', async () => {
  const root = temporaryFolder();
  const run = async (folder: string): Promise<unknown> => {
    const child = spawn(process.execPath, [platform, 'init', folder, '--from', from, '--yes'], {
      cwd: root,
      stdio: 'ignore',
    });
    return (await once(child, 'exit'))[0];
  };
  const folders = ['a', 'b', 'c', 'deep/d', 'deep/e', 'deep/f'].map((name) => `new/${name}`);
  expect(await Promise.all(folders.map(run))).toEqual(folders.map(() => 0));
  for (const folder of folders) expect(existsSync(join(root, folder, 'platform-manifest.yaml'))).toBe(true);
  expect(readdirSync(root)).toEqual(['new']);
  const codes = await Promise.all([run('new/same'), run('new/same')]);
  expect(new Set(codes)).toEqual(new Set([0, 2]));
});
