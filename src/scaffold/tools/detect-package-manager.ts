import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUp } from '../../base/node/folders-up.js';
import { isPackageManager, packageManagers, type PackageManagerName } from './package-managers.js';
import { readPackageFile } from './read-package-file.js';

interface Surroundings {
  /** Where the new project will be; it need not exist. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What a package.json above says, else a lock file above, else who runs this command. */
export function detectPackageManager({ folder, env }: Surroundings): PackageManagerName {
  for (const above of foldersUp(folder)) {
    const found = declaredIn(above) ?? lockedIn(above);
    if (found) return found;
  }
  const runner = env['npm_config_user_agent']?.split('/')[0] ?? '';
  return isPackageManager(runner) ? runner : 'npm';
}

function declaredIn(folder: string): PackageManagerName | undefined {
  const [name = ''] = String(readPackageFile(folder).packageManager).split('@');
  return isPackageManager(name) ? name : undefined;
}

const lockedIn = (folder: string): PackageManagerName | undefined =>
  Object.values(packageManagers).find(({ lockFiles }) =>
    lockFiles.some((file) => existsSync(join(folder, file))),
  )?.name;
