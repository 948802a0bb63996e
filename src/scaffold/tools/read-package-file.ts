import { join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';

export interface PackageFile {
  name?: unknown;
  version?: unknown;
  private?: unknown;
  packageManager?: unknown;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  catalog?: Record<string, string>;
  workspaces?: string[] | { packages?: string[]; catalog?: Record<string, string> };
}

/** The package.json of a folder. Empty if the file does not exist or cannot be read. */
export function readPackageFile(folder: string): PackageFile {
  try {
    const content: unknown = JSON.parse(readText(join(folder, 'package.json')));
    return typeof content === 'object' && content !== null ? content : {};
  } catch {
    return {};
  }
}

/** Patterns of the folders that belong to the workspace, such as `packages/*`. */
export const workspacePatterns = ({ workspaces }: PackageFile): string[] | undefined =>
  Array.isArray(workspaces) ? workspaces : workspaces?.packages;

export function readText(file: string): string {
  try {
    return readRegularFile(file, 1024 * 1024).toString('utf8');
  } catch {
    return '';
  }
}
