import { execFile } from 'node:child_process';
import { dirname, relative, sep } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import { gitArguments, safeFolder } from '../../base/node/safe-git.js';

/** Matching a hostile `.gitignore` can take hours, and reading one that is a FIFO never ends. */
const longestMs = 5000;

/**
 * Returns which of these files in the folder Git ignores, or all of them if Git takes too long. Returns undefined if Git is not
 * installed, the folder is not in a repository, or the repository ignores the whole folder. Nothing in the folder or in the
 * repository's settings can choose a program that Git runs.
 */
export async function findIgnoredFiles(
  folder: string,
  files: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const git = findUp(folder, '.git');
  if (git === undefined) return undefined;
  const root = dirname(git);
  // Without the dot, Git would read a name that starts with a colon as an expression.
  const start = `./${relative(root, folder)}/`.replaceAll(sep, '/').replace('//', '/');
  return new Promise((resolve) => {
    // Starts at the repository, because files among the pages can look like a bare repository.
    const child = execFile(
      'git',
      gitArguments(root, ['check-ignore', '--stdin', '-z']),
      { cwd: safeFolder(), maxBuffer: 2 ** 28, timeout: longestMs },
      (error, stdout) => {
        const ignored = new Set(stdout.split('\0').map((path) => path.slice(start.length)));
        if (error?.killed) resolve(new Set(files));
        // The code is 1 if no file is ignored. The folder itself is an empty path.
        else resolve((error && error.code !== 1) || stdout.startsWith(`${start}\0`) ? undefined : ignored);
      },
    );
    // If Git does not start, or ends early, the callback receives the error.
    child.stdin?.on('error', () => {}).end([start, ...files.map((file) => start + file)].join('\0'));
  });
}
