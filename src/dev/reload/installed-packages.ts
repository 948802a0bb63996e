import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files that npm, pnpm and Yarn write last when they change installed packages. */
const names = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/** Returns the paths of these files, both next to the manifest and at the workspace root. */
const dependencyChangeFiles = (folder: string): string[] =>
  [folder, withPackages(dirname(folder))]
    .filter((place) => place !== undefined)
    .flatMap((place) => names.map((name) => join(place, 'node_modules', name)));

/** Returns the paths of the files that decide how the files of a folder are built. */
export const buildSettings = (folder: string): string[] => [
  ...['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
  ...dependencyChangeFiles(folder),
];

function withPackages(folder: string): string | undefined {
  if (existsSync(join(folder, 'node_modules'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : withPackages(above);
}
