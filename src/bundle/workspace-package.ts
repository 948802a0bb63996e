import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { findUp } from '../base/node/folders-up.js';

/** Returns the name of the package that an import names. */
export const packageNameIn = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Returns the folder of a package that is linked from the workspace instead of being installed. */
export function workspaceFolderOf(name: string, from: string): string | undefined {
  const installed = findUp(from, `node_modules/${name}/package.json`);
  const home = installed && dirname(realpathSync(installed));
  return home?.includes('node_modules') ? undefined : home;
}
