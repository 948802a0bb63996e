import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUp } from '../../base/node/folders-up.js';
import { isPackageManager, packageManagers, type PackageManagerName } from '../model/package-managers.js';
import { readPackageFile } from './read-package-file.js';

interface Surroundings {
  /** The folder of the new project, which need not exist yet. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the package manager declared in a parent folder's package.json. If none is declared, returns the one whose lock
 * file is in a parent folder, or else the one running this command.
 */
export function detectPackageManager({ folder, env }: Surroundings): PackageManagerName {
  for (const above of foldersUp(folder)) {
    const found = declaredIn(above) ?? lockedIn(above);
    if (found) return found;
  }
  const runner = env['npm_config_user_agent']?.split('/')[0] ?? '';
  return isPackageManager(runner) ? runner : 'npm';
}

function declaredIn(folder: string): PackageManagerName | undefined {
  const [name = ''] = readPackageFile(folder).packageManager?.split('@') ?? [];
  return isPackageManager(name) ? name : undefined;
}

const lockedIn = (folder: string): PackageManagerName | undefined =>
  Object.values(packageManagers).find(({ lockFiles }) =>
    lockFiles.some((file) => existsSync(join(folder, file))),
  )?.name;
