import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUp } from './folders-up.js';
import { readRegularFile } from './regular-file.js';

const lockFiles = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
};

export type PackageManagerName = keyof typeof lockFiles;

const isPackageManager = (text: string): text is PackageManagerName => Object.hasOwn(lockFiles, text);

interface Surroundings {
  /** The folder of the project, which need not exist yet. */
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
  try {
    const text = readRegularFile(join(folder, 'package.json'), 1024 * 1024).toString('utf8');
    const { packageManager } = JSON.parse(text) as { packageManager?: unknown };
    const [name = ''] = typeof packageManager === 'string' ? packageManager.split('@') : [];
    return isPackageManager(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

const lockedIn = (folder: string): PackageManagerName | undefined =>
  Object.keys(lockFiles)
    .filter(isPackageManager)
    .find((name) => lockFiles[name].some((file) => existsSync(join(folder, file))));
