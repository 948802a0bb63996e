import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/user-error.js';
import type { InitWorld } from '../init/init-options.js';
import { foldersUp } from '../../base/node/folders-up.js';

/** Inside another repository the project becomes a part of that one. */
export async function startRepository(
  folder: string,
  { run, note }: Pick<InitWorld, 'run' | 'note'>,
): Promise<void> {
  const home = [...foldersUp(folder)].find((path) => existsSync(join(path, '.git')));
  if (home !== undefined) return note(`It lies in the Git repository ${home}, so no other was started.`);
  try {
    await run('git init --quiet', { cwd: folder });
  } catch {
    throw new UserError(
      'git-failed',
      '"git init" failed, as it says above.',
      'The project itself is whole: run "git init" in it when that is mended.',
    );
  }
}
