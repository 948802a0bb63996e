import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

/** On Windows, npm is a script for the shell. */
const run = (program: string, args: string[], options: { cwd: string }) =>
  promisify(execFile)(program, args, { ...options, shell: process.platform === 'win32' });
const root = fileURLToPath(new URL('../..', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed package, which is installed once for all test files. */
    packed: Packed;
  }
}

export interface Packed {
  /** Where the packed copy is installed. */
  folder: string;
  /** The packed file in this folder. */
  file: string;
  /** The path to the command that npm links. */
  platform: string;
  /** The cache with everything that npm has downloaded. */
  cache: string;
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-packed-'));
  chmodSync(folder, 0o755);
  project.provide('packed', await installPacked(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Packs this checkout and installs the file into an empty folder, with an empty cache. */
export async function installPacked(folder: string): Promise<Packed> {
  mkdirSync(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: await stage(join(folder, 'staged')),
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const cache = join(folder, 'cache');
  await run('npm', ['install', '--ignore-scripts', '--cache', cache, join(folder, filename)], {
    cwd: folder,
  });
  return {
    folder,
    file: join(folder, filename),
    platform: join(folder, 'node_modules/.bin/platform'),
    cache,
  };
}

/** Copies the files that are packed, without the script that `prepack` removes after its build. */
async function stage(folder: string): Promise<string> {
  const { files, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    files: string[];
    scripts: { prepack: string };
  };
  for (const name of ['package.json', 'README.md', 'LICENSE', ...files])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const [, ...args] = scripts.prepack.replace('npm run build && ', '').split(' ');
  await run('npm', args, { cwd: folder });
  return folder;
}
