import { statSync, type Stats } from 'node:fs';

/**
 * Returns the stats of a path, or undefined if they cannot be read, for example because of a circular symlink or a
 * name that is too long.
 */
export function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
