import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renameOver } from '../../base/node/replace-file.js';
import { UserError } from '../../base/user-error.js';
import { decodeText } from '../files/decode-text.js';
import { asUserError } from '../files/file-errors.js';
import type { AgentFile } from './plan-agent-setup.js';

/** Reads a regular file in the folder or one of its subfolders. Never follows a symlink. */
export function readAgentFile(folder: string, path: string): string | undefined {
  checkWay(folder, path);
  const file = join(folder, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile() || stats.nlink > 1)
    throw new UserError(
      'not-a-file',
      `${path} is not a regular file with one name.`,
      'Replace it with a regular file, then run the command again.',
    );
  return decodeText(readFileSync(file), path);
}

/** Replaces each file atomically, so a symlink created in the meantime is replaced rather than followed. */
export function writeAgentFiles(folder: string, files: readonly AgentFile[], suffix: string): void {
  for (const { path, before, after } of files) {
    if (readAgentFile(folder, path) !== before)
      throw new UserError('changed', `${path} has changed in the meantime.`, 'Run the command again.');
    const file = join(folder, path);
    try {
      if (after === undefined) removeFile(folder, path);
      else {
        mkdirSync(dirname(file), { recursive: true });
        checkWay(folder, path);
        const unfinished = `${file}.${suffix}`;
        const mode = lstatSync(file, { throwIfNoEntry: false })?.mode;
        writeFileSync(unfinished, after, { flag: 'wx', mode: mode === undefined ? 0o644 : 0o600 });
        if (mode !== undefined) chmodSync(unfinished, mode & 0o7777);
        renameOver(unfinished, file);
      }
    } catch (error) {
      throw asUserError(error, path);
    }
  }
}

/** Checks that every folder in the path is a real folder and not a symlink. */
function checkWay(folder: string, path: string): void {
  const parts = path.split('/').slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const way = parts.slice(0, count).join('/');
    const stats = lstatSync(join(folder, way), { throwIfNoEntry: false });
    if (stats && !stats.isDirectory())
      throw new UserError(
        'not-a-folder',
        `${way} is a link or a file, not a folder.`,
        'Replace it with a folder, then run the command again.',
      );
  }
}

function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path));
  for (let way = dirname(path); way !== '.'; way = dirname(way)) {
    try {
      rmdirSync(join(folder, way));
    } catch {
      return;
    }
  }
}
