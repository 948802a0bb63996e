import { statSync, type Stats } from 'node:fs';

/** What a path leads to; nothing where nobody can tell, as with a link to itself or a name that is too long. */
export function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
