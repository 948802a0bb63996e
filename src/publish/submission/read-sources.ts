import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Bundle, Import } from '../../bundle/index.js';
import { findUp, foldersUp } from '../../base/node/folders-up.js';
import { readRegularFile } from '../../base/node/regular-file.js';

export interface Source {
  /** A path relative to the folder. */
  path: string;
  text: string;
}

/** A bundled file that belongs neither to the author nor to a package. */
export interface OutsideSource {
  path: string;
  /** The import that caused the file to be bundled, if known. */
  import: Import | undefined;
  /**
   * Whether the file cannot be part of the project, because it is outside the repository or was imported by an installed
   * package.
   */
  isForeign: boolean;
}

export interface SortedSources {
  own: Source[];
  outside: OutsideSource[];
}

/** Separates the author's own files from package files and files outside the folder. */
export function sortSources(
  { files, imports }: Pick<Bundle, 'files' | 'imports'>,
  folder: string,
): SortedSources {
  const home = realpathSync(folder);
  const repository = rootAround(home);
  const own: Source[] = [];
  const outside: OutsideSource[] = [];
  for (const file of files) {
    if (!existsSync(file)) continue;
    const real = realpathSync(file);
    const importing = imports.get(file) ?? [];
    const byPackage = importing.find((one) => !staysInPackages(one, real, home, repository));
    if (byPackage === undefined) {
      if (isInstalled(real)) continue;
      if (isIn(real, home)) {
        own.push({ path: slashes(relative(home, real)), text: readRegularFile(real).toString('utf8') });
        continue;
      }
      if (isOfPackage(real, home, repository)) continue;
    }
    outside.push({
      path: slashes(relative(home, real)),
      import: byPackage ?? importing[0],
      isForeign: byPackage !== undefined || !isIn(real, repository),
    });
  }
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
  return { own: own.sort(byPath), outside: outside.sort(byPath) };
}

/** Returns the Git repository or workspace that contains the folder, or otherwise the folder itself. */
function rootAround(home: string): string {
  const git = findUp(home, '.git');
  const workspace = [...foldersUp(home)].findLast(
    (folder) =>
      existsSync(join(folder, 'pnpm-workspace.yaml')) ||
      fieldIn(join(folder, 'package.json'), 'workspaces') !== undefined,
  );
  return git === undefined ? (workspace ?? home) : dirname(git);
}

/**
 * Whether an import resolves to a file that the importer is expected to use. An installed package is expected to import only
 * its own files, and other packages by name. However, its `browser` field, its `imports` field or a path can point to any
 * file on the machine.
 */
function staysInPackages(
  { importer, specifier }: Import,
  target: string,
  home: string,
  repository: string,
): boolean {
  if (!isInstalled(importer))
    return !isInstalled(target) || isNear(target, home, repository) || isNamed(specifier, target);
  if (installedRoot(importer) === installedRoot(target)) return true;
  return isInstalled(target)
    ? isNear(target, home, repository) || isNamed(specifier, target)
    : isNamed(specifier, target);
}

const isInstalled = (file: string): boolean => file.includes(`${sep}node_modules${sep}`);

/** Returns `…/node_modules/name`, or undefined if the file is not in an installed package. */
const installedRoot = (file: string): string | undefined =>
  new RegExp(String.raw`^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+`).exec(file)?.[0];

/** Whether a file is in the `node_modules` folder of this folder or a parent folder. */
const isNear = (file: string, home: string, repository: string): boolean => {
  const [owner = ''] = file.split(`${sep}node_modules${sep}`);
  return owner === home || isIn(home, owner) || isIn(owner, repository);
};

/** Whether an import refers to the file's package by name. */
function isNamed(specifier: string, file: string): boolean {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
  const root = installedRoot(file) ?? packageRoot(file);
  return (
    root !== undefined &&
    name !== undefined &&
    /^[@\w]/.test(name) &&
    (root.endsWith(`${sep}${name.split('/').join(sep)}`) ||
      fieldIn(join(root, 'package.json'), 'name') === name)
  );
}

const isIn = (file: string, folder: string): boolean => file.startsWith(folder + sep);
const slashes = (path: string): string => path.split(sep).join('/');

const sdk = 'integration-platform';

/**
 * Whether the file belongs to the SDK or to a workspace package. A workspace package is linked from a `node_modules` folder but
 * stored elsewhere in the project or in the repository.
 */
function isOfPackage(file: string, home: string, repository: string): boolean {
  const root = packageRoot(file);
  const name = root === undefined ? undefined : fieldIn(join(root, 'package.json'), 'name');
  if (root === undefined || typeof name !== 'string') return false;
  if (name === sdk) return true;
  return [...foldersUp(home)].some((folder) => {
    const linked = join(folder, 'node_modules', name);
    if (!existsSync(linked) || realpathSync(linked) !== root) return false;
    return isIn(root, folder) || isIn(root, repository);
  });
}

function packageRoot(file: string): string | undefined {
  const found = findUp(dirname(file), 'package.json');
  return found === undefined ? undefined : dirname(found);
}

function fieldIn(packageFile: string, field: string): unknown {
  try {
    return (JSON.parse(readRegularFile(packageFile).toString('utf8')) as Record<string, unknown>)[field];
  } catch {
    return undefined;
  }
}
