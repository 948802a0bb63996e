import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { gitArguments, safeFolder } from '../../base/node/safe-git.js';

/** Git fails, or takes too long, for `unknown`. A repository that ignores the whole folder doesn't decide about its files. */
export type GitAnswer = 'ignored' | 'unknown' | 'no-repository';

/** Matching a hostile `.gitignore` can take hours, and reading one that is a FIFO never ends. */
const longestMs = 5000;

/**
 * Asks Git which of these files in the folder it ignores. Files that it doesn't ignore are missing from the result. Each repository
 * inside the folder, such as a submodule, is asked about its own files. Nothing in the folder or in a repository's settings can
 * choose a program that Git runs.
 */
export async function findIgnoredFiles(
  at: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, GitAnswer>> {
  const folder = resolve(at);
  const isBelow = (path: string): boolean => path.startsWith(folder) && path !== folder;
  const roots = new Map<string, string | undefined>();
  const rootOf = (path: string): string | undefined => {
    if (!roots.has(path)) {
      const above = dirname(path);
      roots.set(path, existsSync(join(path, '.git')) ? path : above === path ? undefined : rootOf(above));
    }
    return roots.get(path);
  };
  // A repository inside the folder is a path that the repository around it may ignore.
  const questions = files.map((file) => {
    const asked: { root: string; path: string }[] = [];
    for (let path = join(folder, file), root; isBelow(path); path = root) {
      root = rootOf(dirname(path));
      if (root === undefined) break;
      asked.push({ root, path });
    }
    return { file, asked };
  });
  const paths = new Map<string, Set<string>>();
  for (const { root, path } of questions.flatMap(({ asked }) => asked))
    paths.set(root, (paths.get(root) ?? new Set(isBelow(root) ? [] : [folder])).add(path));
  const answers = new Map<string, ReadonlySet<string> | undefined>();
  for (const [root, asked] of paths) answers.set(root, await askGit(root, [...asked]));

  return new Map(
    questions.flatMap(({ file, asked }): [string, GitAnswer][] => {
      const decisive = asked.filter(({ root }) => !answers.get(root)?.has(folder));
      if (decisive.some(({ root, path }) => answers.get(root)?.has(path))) return [[file, 'ignored']];
      if (decisive.some(({ root }) => !answers.get(root))) return [[file, 'unknown']];
      return decisive.length === 0 ? [[file, 'no-repository']] : [];
    }),
  );
}

/** Returns the paths that a repository ignores, or undefined if Git cannot tell. */
async function askGit(root: string, paths: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  // Without the dot, Git would read a name that starts with a colon as an expression.
  const asked = new Map(paths.map((path) => [`./${relative(root, path)}`.replaceAll(sep, '/'), path]));
  return new Promise((answer) => {
    // Starts at the repository, because files among the pages can look like a bare repository.
    const child = execFile(
      'git',
      // The owner doesn't matter, because this command runs no program that the repository chooses.
      gitArguments(root, ['-c', 'safe.directory=*', 'check-ignore', '--stdin', '-z']),
      { cwd: safeFolder(), maxBuffer: 2 ** 28, timeout: longestMs },
      (error, stdout) =>
        // The code is 1 if no file is ignored.
        answer(
          error && error.code !== 1
            ? undefined
            : new Set(stdout.split('\0').flatMap((path) => asked.get(path) ?? [])),
        ),
    );
    // If Git does not start, or ends early, the callback receives the error.
    child.stdin?.on('error', () => {}).end([...asked.keys()].join('\0'));
  });
}
