import { dirname, relative, sep } from 'node:path';
import { foldersUp } from '../../base/node/folders-up.js';
import type { PackageManager } from '../model/package-managers.js';
import { readPackageFile, workspacePatterns } from './read-package-file.js';

/**
 * Returns where a project's dependencies will be installed, relative to its folder. Most package managers install a
 * workspace's dependencies in the root folder.
 */
export function nodeModulesPath(folder: string, { hoists }: Pick<PackageManager, 'hoists'>): string {
  const root = hoists
    ? [...foldersUp(dirname(folder))].find((above) => isWorkspaceOf(above, folder))
    : undefined;
  return root === undefined ? './node_modules' : `${withSlashes(relative(folder, root))}/node_modules`;
}

const withSlashes = (path: string): string => path.split(sep).join('/');

function isWorkspaceOf(root: string, folder: string): boolean {
  const path = withSlashes(relative(root, folder));
  const patterns = workspacePatterns(readPackageFile(root)) ?? [];
  return patterns.some((pattern) => matches(pattern, path));
}

/** Matches `packages/*` and `packages/**`. Other wildcards are rare. */
function matches(pattern: string, path: string): boolean {
  const parts = pattern.replace(/^\.\//, '').replace(/\/$/, '').split('/');
  const source = parts.map((part) =>
    part === '**' ? '.+' : part === '*' ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&'),
  );
  return new RegExp(`^${source.join('/')}$`).test(path);
}
