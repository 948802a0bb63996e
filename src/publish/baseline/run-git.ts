import { gitArguments, safeFolder } from '../../base/node/safe-git.js';

/**
 * Runs a Git command that only reads objects and refs. Resolves to its output, or to undefined if it fails. Commands such as
 * `git show` and `git checkout` must not be used, because they run filters, drivers and hooks configured by the repository.
 */
export async function runGit(folder: string, argv: string[], maxBuffer = 4096): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, exitCode } = await execa('git', gitArguments(folder, argv), {
    cwd: safeFolder(),
    // In a partial clone, Git would otherwise fetch missing objects.
    env: { GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' },
    maxBuffer,
    reject: false,
    stripFinalNewline: false,
  });
  return exitCode === 0 ? stdout : undefined;
}
