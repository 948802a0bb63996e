import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, relative, sep } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import { isInside } from '../../base/node/is-inside.js';

/**
 * Returns the real path of a folder that a project has chosen. Returns undefined if the folder is outside the project and
 * its repository, or hidden there, because a project that someone else wrote must not choose what to serve from this machine.
 */
export function findOwnFolder(project: string, folder: string, home = homedir()): string | undefined {
  const [real, root] = [realpathSync(folder), realpathSync(project)];
  const git = findUp(root, '.git');
  // Some people keep their whole home folder in a repository.
  const roots = git === undefined || isInside(home, dirname(git)) ? [root] : [root, dirname(git)];
  const isOwn = roots.some(
    (own) =>
      isInside(real, own) &&
      !relative(own, real)
        .split(sep)
        .some((name) => name.startsWith('.')),
  );
  return isOwn ? real : undefined;
}
