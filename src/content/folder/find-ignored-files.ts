import { execFile } from 'node:child_process';

/**
 * Returns which of these files in the folder Git ignores. Returns undefined if Git is not installed, the folder is not in a
 * repository, or the repository ignores the whole folder. Git runs no filters, drivers or hooks for this.
 */
export async function findIgnoredFiles(
  folder: string,
  files: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const output = await new Promise<string | undefined>((resolve) => {
    const argv = ['-c', 'core.fsmonitor=false', 'check-ignore', '--stdin', '-z'];
    const git = execFile('git', argv, { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout) =>
      // The code is 1 if no file is ignored.
      resolve(error && error.code !== 1 ? undefined : stdout),
    );
    // If Git does not start, or ends early, the callback receives the error.
    git.stdin?.on('error', () => {}).end(['.', ...files].join('\0'));
  });
  const ignored = new Set(output?.split('\0'));
  return output === undefined || ignored.has('.') ? undefined : ignored;
}
