import { realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, relative, sep } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import { isInside } from '../../base/node/is-inside.js';

/**
 * Returns the real path of a folder that a project has chosen. Returns undefined if the folder is outside the project and
 * its repository, or hidden there, because a project that someone else wrote must not choose what to serve from this machine.
 */
export function findOwnFolder(project: string, folder: string, homes = homeFolders()): string | undefined {
  const [real, root] = [realpathSync(folder), realpathSync(project)];
  const git = findUp(root, '.git');
  // Some people keep their whole home folder in a repository.
  const roots =
    git === undefined || homes.some((home) => isInside(home, dirname(git))) ? [root] : [root, dirname(git)];
  const isOwn = roots.some(
    (own) =>
      isInside(real, own) &&
      !relative(own, real)
        .split(sep)
        .some((name) => name.startsWith('.')),
  );
  return isOwn ? real : undefined;
}

/** Includes the folder that the system knows, because the environment can set a different one. */
export function homeFolders(): string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    // In a container, the account may be unknown to the system.
    return [homedir()];
  }
}
