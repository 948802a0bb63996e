import type { PackageManagerName } from '../../base/node/detect-package-manager.js';

export interface PackageManager {
  name: PackageManagerName;
  install: string;
  /**
   * Installs packages without running their scripts, and then runs the scripts that were skipped. Absent if the options
   * differ between versions.
   */
  withoutScripts?: { install: string; runScripts: string[] };
  /** Whether the package manager installs a workspace's dependencies in the root folder. */
  hoists: boolean;
  /** Installs exactly the versions in the lock file. */
  cleanInstall: string;
  /** Runs a script from package.json. */
  run: string;
  exec: string;
  /** Also runs a command from a package, but the command may be missing. Never downloads a package with that name. */
  execInstalled: string;
  /** The steps in a GitHub workflow that set up this package manager. */
  workflowSetup: string;
}

const node = `      - uses: actions/setup-node@v4
        with:
          node-version: 22`;
const corepack = `${node}\n      - run: corepack enable`;
const bun = `${node}\n      - uses: oven-sh/setup-bun@v2`;

export const packageManagers: Record<PackageManagerName, PackageManager> = {
  npm: {
    name: 'npm',
    install: 'npm install',
    withoutScripts: { install: 'npm install --ignore-scripts', runScripts: ['npm rebuild', 'npm install'] },
    hoists: true,
    cleanInstall: 'npm ci',
    run: 'npm run',
    exec: 'npx',
    execInstalled: 'npx --no-install',
    workflowSetup: node,
  },
  pnpm: {
    name: 'pnpm',
    install: 'pnpm install',
    withoutScripts: {
      install: 'pnpm install --ignore-scripts',
      runScripts: ['pnpm rebuild', 'pnpm install'],
    },
    hoists: false,
    cleanInstall: 'pnpm install --frozen-lockfile',
    run: 'pnpm run',
    exec: 'pnpm exec',
    execInstalled: 'pnpm exec',
    workflowSetup: corepack,
  },
  yarn: {
    name: 'yarn',
    install: 'yarn install',
    hoists: true,
    cleanInstall: 'yarn install --immutable',
    run: 'yarn run',
    exec: 'yarn run',
    execInstalled: 'yarn run',
    // Without `packageManager` in package.json, Corepack runs Yarn 1, which ignores the lock file of later versions.
    workflowSetup: `${corepack}\n      - run: corepack install --global yarn@4`,
  },
  bun: {
    name: 'bun',
    install: 'bun install',
    withoutScripts: { install: 'bun install --ignore-scripts', runScripts: ['bun install --force'] },
    hoists: true,
    cleanInstall: 'bun install --frozen-lockfile',
    run: 'bun run',
    exec: 'bunx',
    execInstalled: 'bunx --no-install',
    workflowSetup: bun,
  },
};
