import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ownProperty } from '../../../base/own-property.js';
import { isInside } from '../../../base/node/is-inside.js';
import { readStats } from '../../../base/node/read-stats.js';
import { foldersUp } from '../../../base/node/folders-up.js';
import {
  readPackageFile,
  readText,
  workspacePatterns,
  type PackageFile,
} from '../../tools/read-package-file.js';

/** The repository that contains an integration, if there is one. Only its package files are read. */
export type SurroundingRepository = ReturnType<typeof findSurroundingRepository>;

export function findSurroundingRepository(from: string) {
  const folders = foldersAround(from);
  const roots = folders.map((folder) => ({ folder, content: readPackageFile(folder) }));
  const parts = new Map<string, string>();
  for (const { folder, content } of roots)
    for (const part of partsOf(folder, content)) {
      const { name } = readPackageFile(part);
      if (typeof name === 'string' && !parts.has(name)) parts.set(name, part);
    }
  const folderOf = (name: string): string | undefined =>
    parts.get(name) ??
    folders
      .map((folder) => join(folder, 'node_modules', name))
      .find((folder) => existsSync(join(folder, 'package.json')));
  return {
    folderOf,
    /** Whether a package is developed in the repository, not just installed in it. */
    isPart: (name: string) => parts.has(name),
    contains: (file: string) => folders.some((folder) => isInside(file, folder)),
    rangeOf(name: string) {
      const declared = roots
        .flatMap(({ content }) => [content.dependencies, content.devDependencies, ...catalogsOf(content)])
        .map((ranges) => ownProperty(ranges ?? {}, name))
        .find((range) => range !== undefined && isRange(range));
      if (declared !== undefined) return declared;
      const folder = folderOf(name);
      const { version, private: hidden } = folder === undefined ? {} : readPackageFile(folder);
      return typeof version === 'string' && hidden !== true ? `^${version}` : undefined;
    },
  };
}

/** Whether a registry can resolve this range. It cannot resolve `workspace:*`, `catalog:` or `file:../other`. */
export const isRange = (range: string): boolean => !/^(workspace|catalog|link|portal|file):/.test(range);

export function foldersAround(from: string): string[] {
  const above = [...foldersUp(realpathSync(from))];
  const root = above.findIndex((folder) => existsSync(join(folder, '.git')));
  if (root >= 0) return above.slice(0, root + 1);
  return above.filter(
    (folder, index) =>
      index === 0 ||
      readPackageFile(folder).workspaces !== undefined ||
      existsSync(join(folder, 'pnpm-workspace.yaml')),
  );
}

/** Matches exact folder names and patterns such as `packages/*`. Other patterns are rare. */
function partsOf(folder: string, content: PackageFile): string[] {
  const patterns = new Set(workspacePatterns(content) ?? yamlPatterns(folder));
  return [...patterns].flatMap((pattern) => {
    const [, parent, star] = /^([\w./-]+?)(\/\*\*?)?\/?$/.exec(pattern) ?? [];
    if (parent === undefined || parent.split('/').includes('..')) return [];
    const path = join(folder, parent);
    if (!isInside(path, folder)) return [];
    if (star === undefined) return [path];
    return readStats(path)?.isDirectory()
      ? readdirSync(path, { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
          .map(({ name }) => join(path, name))
      : [];
  });
}

const yamlPatterns = (folder: string): string[] =>
  [
    ...readText(join(folder, 'pnpm-workspace.yaml')).matchAll(
      /^[ \t]*-[ \t]*['"]?([\w./*-]+)['"]?[ \t]*\r?$/gm,
    ),
  ].map(([, pattern = '']) => pattern);

const catalogsOf = ({ catalog, workspaces }: PackageFile): (Record<string, string> | undefined)[] => [
  catalog,
  Array.isArray(workspaces) ? undefined : workspaces?.catalog,
];
