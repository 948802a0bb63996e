import { UserError } from '../../base/user-error.js';
import type { InitWorld } from '../model/init-options.js';
import { findUp } from '../../base/node/folders-up.js';
import { dirname } from 'node:path';

/** Does nothing inside an existing repository, because the project then belongs to it. */
export async function startRepository(
  folder: string,
  { run, note }: Pick<InitWorld, 'run' | 'note'>,
): Promise<void> {
  const found = findUp(folder, '.git');
  if (found !== undefined)
    return note(`Did not run "git init": the folder is already in the Git repository ${dirname(found)}.`);
  try {
    await run('git init --quiet', { cwd: folder });
    // The workflow runs on this branch. `--initial-branch` requires Git 2.28.
    await run('git symbolic-ref HEAD refs/heads/main', { cwd: folder });
  } catch {
    throw new UserError(
      'git-failed',
      '"git init" failed; its own error is above.',
      'The project is complete. Fix the problem, then run "git init" in its folder.',
    );
  }
}
