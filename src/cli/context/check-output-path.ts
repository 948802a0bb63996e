import { dirname, resolve } from 'node:path';
import { relativePath } from '../../base/node/relative-path.js';
import { UserError } from '../../base/user-error.js';
import { readStats } from '../../base/node/read-stats.js';

const isFolder = (path: string): boolean => readStats(path)?.isDirectory() ?? false;

/** Checks that an output file can be created. Called before the command does any work. */
export function checkOutputPath(
  { option, named, example }: { option: string; named: string; example: string },
  cwd: string,
): void {
  const file = resolve(cwd, named);
  const folder = dirname(file);
  if (isFolder(file))
    throw new UserError(
      'bad-value',
      `${option} ${named} is a folder.`,
      `Pass a file, such as ${named}/${example}.`,
    );
  if (!isFolder(folder))
    throw new UserError(
      'bad-value',
      `${option} ${named} cannot be created. Folder not found: ${relativePath(cwd, folder)}.`,
      'Create the folder first.',
    );
}
