import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Source } from './submission.js';
import { readRegularFile } from '../../base/node/regular-file.js';

export interface SortedSources {
  own: Source[];
  outside: string[];
}

/** Separates the author's own files from those of packages and those outside the folder. */
export function sortSources(files: readonly string[], folder: string): SortedSources {
  const home = realpathSync(folder);
  const own: Source[] = [];
  const outside: string[] = [];
  for (const file of files) {
    if (!existsSync(file) || file.includes(`${sep}node_modules${sep}`)) continue;
    const real = realpathSync(file);
    if (isIn(real, home))
      own.push({ path: slashes(relative(home, real)), text: readRegularFile(real).toString('utf8') });
    else if (!isOfPackage(real, home)) outside.push(slashes(relative(home, real)));
  }
  const byPath = (a: Source, b: Source): number => (a.path < b.path ? -1 : 1);
  return { own: own.sort(byPath), outside: outside.sort() };
}

const isIn = (file: string, folder: string): boolean => file.startsWith(folder + sep);
const slashes = (path: string): string => path.split(sep).join('/');

/** The SDK or a workspace package: linked into `node_modules`, but stored elsewhere. */
function isOfPackage(file: string, home: string): boolean {
  const root = parents(file).find((folder) => existsSync(join(folder, 'package.json')));
  const name = root === undefined ? undefined : nameIn(join(root, 'package.json'));
  if (root === undefined || name === undefined) return false;
  if (name === 'integration-platform') return true;
  return parents(join(home, 'x')).some((folder) => {
    const linked = join(folder, 'node_modules', name);
    return existsSync(linked) && realpathSync(linked) === root;
  });
}

function parents(file: string): string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...parents(folder)];
}

function nameIn(packageFile: string): string | undefined {
  try {
    const { name } = JSON.parse(readRegularFile(packageFile).toString('utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
