import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUp } from './folders-up.js';
import { readRegularFile } from './regular-file.js';

/** The lock files and settings of each package manager. */
const ownFiles = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock', '.yarnrc.yml'],
  bun: ['bun.lock', 'bun.lockb', 'bunfig.toml'],
};

export const lockFiles = Object.values(ownFiles).flat();

export type PackageManagerName = keyof typeof ownFiles;

const isPackageManager = (text: string): text is PackageManagerName => Object.hasOwn(ownFiles, text);

interface Surroundings {
  /** The folder of the project, which need not exist yet. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the package manager declared in a parent folder's package.json. If none is declared, returns the one whose files
 * are in a parent folder, or else the one running this command. Of those that work with `workspace:*`, only Bun needs no file
 * of its own.
 */
export function detectPackageManager({ folder, env }: Surroundings): PackageManagerName {
  let fallback: PackageManagerName = 'npm';
  for (const above of foldersUp(folder)) {
    const text = packageJsonIn(above);
    const [, declared = ''] = /"packageManager"\s*:\s*"(\w+)@/.exec(text) ?? [];
    const found = isPackageManager(declared) ? declared : managerOfFilesIn(above);
    if (found) return found;
    if (text.includes('"workspace:')) fallback = 'bun';
  }
  const runner = env['npm_config_user_agent']?.split('/')[0] ?? '';
  return isPackageManager(runner) ? runner : fallback;
}

/** Returns the command that adds a package to the development dependencies of the project in a folder. */
export const addCommand = (folder: string, name: string): string =>
  `${add[detectPackageManager({ folder, env: {} })]} ${name}`;

const add: Record<PackageManagerName, string> = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
};

function packageJsonIn(folder: string): string {
  try {
    return readRegularFile(join(folder, 'package.json'), 1024 * 1024).toString('utf8');
  } catch {
    return '';
  }
}

const managerOfFilesIn = (folder: string): PackageManagerName | undefined =>
  Object.keys(ownFiles)
    .filter(isPackageManager)
    .find((name) => ownFiles[name].some((file) => existsSync(join(folder, file))));
