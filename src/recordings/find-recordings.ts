import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readStats } from '../base/node/read-stats.js';
import { UserError } from '../base/user-error.js';

/**
 * Returns the recordings at a path: the file itself, or all `.json` files in the folder and its subfolders, sorted by path.
 */
export function findRecordings(path: string, cwd: string): string[] {
  const absolute = resolve(cwd, path);
  if (!readStats(absolute)?.isDirectory()) return [absolute];
  const files = recordingsIn(absolute);
  if (files.length > 0) return files;
  throw new UserError(
    'no-recording',
    `The folder ${path} contains no recordings.`,
    'Record calls with: platform record <name> --last 3',
  );
}

/** Returns all `.json` files in a folder and its subfolders, sorted by path. Hidden files and folders are skipped. */
export const recordingsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !/(?:^|[/\\])\./.test(relative(folder, file)))
    .sort();
