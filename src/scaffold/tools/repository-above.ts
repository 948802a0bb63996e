import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import type { ProjectFiles } from '../files/files-in-memory.js';

/** The root of the Git repository that a new folder will be a part of, but not of its own. */
export function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return undefined;
  const found = findUp(dirname(folder), '.git');
  return found && dirname(found);
}

/** Workflows and hooks take effect only at the root of a repository. */
export const isForRoot = (path: string): boolean =>
  path.startsWith('.github/') || path === '.pre-commit-config.yaml';

export const withoutRootFiles = (files: ProjectFiles): ProjectFiles =>
  new Map([...files].filter(([path]) => !isForRoot(path)));
