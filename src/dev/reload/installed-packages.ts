import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What npm, pnpm and Yarn leave behind last, whenever they have changed what is installed. */
const names = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/** Where that is: beside the manifest, and at the root of a workspace. */
export const dependencyChangeFiles = (folder: string): string[] =>
  [folder, withPackages(dirname(folder))]
    .filter((place) => place !== undefined)
    .flatMap((place) => names.map((name) => join(place, 'node_modules', name)));

function withPackages(folder: string): string | undefined {
  if (existsSync(join(folder, 'node_modules'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : withPackages(above);
}
