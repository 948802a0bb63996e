import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { nearest } from '../diagnostics/nearest.js';
import { UserError } from '../diagnostics/user-error.js';
import { expandGlob, isGlob, readFolder } from './glob.js';

export const manifestName = 'platform-manifest.yaml';

/** The manifest in a folder, else the nearest one above it. */
export function findManifest(folder: string): string | undefined {
  const file = join(folder, manifestName);
  if (existsSync(file)) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findManifest(above);
}

/** The files that people mean by files, folders and globs; without any, the manifest here or above. */
export function findManifests(named: readonly string[], cwd: string): string[] {
  if (named.length === 0) {
    const file = findManifest(cwd);
    if (file) return [file];
    throw new UserError(
      'no-manifest',
      `There is no ${manifestName} in this folder, nor above it.`,
      'Name a file or a folder, or make an integration with "platform init".',
    );
  }
  const files = new Set(named.flatMap((name) => expand(name, cwd)));
  return [...files].sort();
}

function expand(name: string, cwd: string): string[] {
  const path = resolve(cwd, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return orNone(searchFolder(path), `There is no ${manifestName} in "${name}".`);
  if (found) return [path];
  if (isGlob(name)) {
    const pattern = sep === '\\' ? name.replaceAll(sep, '/') : name;
    return orNone(expandGlob(pattern, cwd), `No file fits "${name}".`);
  }
  const near = nearest(
    name,
    readFolder(dirname(path)).map((entry) => join(dirname(name), entry.name)),
  );
  throw new UserError(
    'no-such-file',
    `There is no file or folder "${name}".`,
    near && `Did you mean "${near}"?`,
  );
}

function orNone(files: string[], message: string): string[] {
  if (files.length > 0) return files;
  throw new UserError(
    'no-manifest',
    message,
    'Folders with a dot in front and node_modules are passed over.',
  );
}

function searchFolder(folder: string): string[] {
  return readFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isPassedOver(entry.name) ? [] : searchFolder(path);
    return entry.name === manifestName ? [path] : [];
  });
}

const isPassedOver = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
