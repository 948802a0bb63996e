import type { Dirent } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nearest } from '../../base/did-you-mean.js';
import { relativePath } from '../../base/node/relative-path.js';
import { visible } from '../../base/escape-control-characters.js';
import { UserError } from '../../base/user-error.js';
import { manifestFileName, manifestName } from '../../profiles/profile.js';
import { findManifest, foreignNames, manifestIn } from './find-manifest.js';
import { expandGlob, isGlob, readFolder } from './glob.js';
import { readStats } from '../../base/node/read-stats.js';

/**
 * Resolves files, folders and patterns. If none are given, uses the manifest in this folder or the nearest parent folder
 * that has one. The folders searched are added to `searched`.
 */
export function findManifests(named: readonly string[], cwd: string, searched = new Set<string>()): string[] {
  if (named.length === 0) {
    const file = findManifest(cwd);
    if (file) return [file];
    const [similar] = foreignNames(cwd);
    throw new UserError(
      'no-manifest',
      `No ${manifestFileName} was found in this folder or any of its parent folders.`,
      similar === undefined
        ? 'Go to an integration\'s folder, pass it with --cwd, or create one with "platform init".'
        : `${visible(similar)} is not used as a manifest because it has no script. Add "script", with the path of the entry file.`,
    );
  }
  const read = (folder: string): Dirent[] => {
    searched.add(folder);
    return readFolder(folder);
  };
  const files = new Set(named.flatMap((name) => expand(name, cwd, read)));
  return [...files].sort();
}

/**
 * Returns the manifest of a single integration. It must be in the given folder or be the only manifest in its subfolders. If
 * no folder is given, uses the manifest in this folder or the nearest parent folder that has one.
 */
export function findOneManifest(named: string | undefined, cwd: string): string {
  const own = named === undefined ? undefined : manifestIn(resolve(cwd, named));
  if (own !== undefined) return own;
  const [file = '', ...others] = findManifests(named === undefined ? [] : [named], cwd);
  if (others.length === 0) return file;
  const folders = [file, ...others].map((one) => relativePath(cwd, dirname(one)));
  throw new UserError(
    'several-manifests',
    `"${named}" contains ${folders.length} integrations.`,
    `Pass one of them: ${folders.join(', ')}.`,
  );
}

type ReadFolder = typeof readFolder;

function expand(name: string, cwd: string, read: ReadFolder): string[] {
  const path = resolve(cwd, name);
  const found = readStats(path);
  if (found?.isDirectory())
    return orNone(searchFolder(path, read), `No ${manifestFileName} was found in "${name}".`);
  if (found) return [path];
  if (isGlob(name)) {
    const inside = manifestsInMatches(name, cwd, read);
    return inside.length > 0 ? inside : orNone(expandGlob(name, cwd, read), `No file matches "${name}".`);
  }
  const near = nearest(
    name,
    readFolder(dirname(path)).map((entry) => join(dirname(name), entry.name)),
  );
  throw new UserError(
    'no-such-file',
    `File or folder not found: "${name}".`,
    near && `Did you mean "${visible(near)}"?`,
  );
}

/** Returns the manifests of the folders that match a pattern. */
export const manifestsInMatches = (pattern: string, cwd: string, read = readFolder): string[] => [
  ...new Set(expandGlob(`${pattern}/*`, cwd, read).flatMap((file) => manifestIn(dirname(file)) ?? [])),
];

function orNone(files: string[], message: string): string[] {
  if (files.length > 0) return files;
  throw new UserError('no-manifest', message, 'Folders that start with a dot and node_modules are skipped.');
}

function searchFolder(folder: string, read: ReadFolder): string[] {
  const entries = read(folder);
  const own = entries.some(({ name }) => manifestName.test(name)) ? manifestIn(folder) : undefined;
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isPassedOver(entry.name) ? [] : searchFolder(path, read);
    return path === own ? [path] : [];
  });
}

const isPassedOver = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
