import { createRequire } from 'node:module';
import { join } from 'node:path';
import { errorMessage } from '../../base/text/error-message.js';
import { addCommand } from '../../base/node/detect-package-manager.js';
import { UserError } from '../../base/user-error.js';

/** The npm package `workerd`, which a project installs to run scripts in the production runtime. */
export interface InstalledWorkerd {
  binary: string;
  version: string;
  /** The newest supported compatibility date, such as `2026-10-23`. */
  compatibilityDate: string;
  /** The setting that makes it write logs as JSON. */
  logging: string;
}

/** The last version with binaries for Linux, macOS and Windows. */
export const testedVersion = '1.20261023.1';

/** The command that installs workerd with the package manager of the project in a folder. */
export const installCommand = (folder: string): string => addCommand(folder, `workerd@${testedVersion}`);

/** The date of the oldest release in the range of this package's `peerDependencies`. */
const oldestRelease = 20250710;

/** From this release on, the setting for logs stands in a group of its own. */
const groupedLogging = 20250912;

/** Finds the package, starting from each of these folders. Returns undefined if the package is not installed. */
export function findWorkerd(folders: readonly string[]): InstalledWorkerd | undefined {
  for (const folder of folders) {
    const require = createRequire(join(folder, 'package.json'));
    let entry: string;
    try {
      entry = require.resolve('workerd');
    } catch {
      continue;
    }
    return load(require, entry, folder);
  }
  return undefined;
}

function load(require: NodeJS.Require, entry: string, folder: string): InstalledWorkerd {
  let found: { default: string; version: string; compatibilityDate: string };
  try {
    found = require(entry);
  } catch (error) {
    // Either there is no binary for this system, or the optional package that contains it was not installed.
    throw new UserError(
      'no-workerd',
      `workerd cannot run here: ${errorMessage(error).split('\n', 1)[0]}`,
      `Install it again, with its optional dependencies: ${installCommand(folder)}`,
    );
  }
  const release = Number(found.version.split('.')[1]);
  if (release < oldestRelease)
    throw new UserError(
      'old-workerd',
      `The installed workerd ${found.version} is too old. The oldest version that works is 1.${oldestRelease}.0.`,
      `Install a newer one: ${installCommand(folder)}`,
    );
  const { default: binary, version, compatibilityDate } = found;
  const setting = 'structuredLogging = true';
  return {
    binary,
    version,
    compatibilityDate,
    logging: release < groupedLogging ? setting : `logging = (${setting})`,
  };
}
