import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';

/** Mounts a small disk until the test ends. Undefined if no disk can be mounted here. */
export function smallDisk(megabytes: number, options = ''): string | undefined {
  const parent = temporaryFolder();
  // Postgres runs as another user.
  chmodSync(parent, 0o755);
  const folder = join(parent, 'disk');
  mkdirSync(folder);
  const size = `size=${megabytes}m${options}`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

export function fillDisk(folder: string): void {
  const size = 256 * 1024;
  try {
    for (let n = 0; ; n += 1) writeFileSync(join(folder, `filler-${n}`), new Uint8Array(size));
  } catch {
    // Full.
  }
}
