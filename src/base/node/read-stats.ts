import { statSync, type Stats } from 'node:fs';

/** The stats of a path, or undefined if they can't be read, as for a link to itself or a name that is too long. */
export function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
