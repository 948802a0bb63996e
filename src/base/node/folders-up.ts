import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Yields the folder and its parent folders, innermost first. */
export function* foldersUp(folder: string): Generator<string> {
  for (let here = folder, above = dirname(here); ; here = above, above = dirname(here)) {
    yield here;
    if (above === here) return;
  }
}

/** Returns the path that a file with this name would have in the folder and in each parent folder. */
export const filesUp = (from: string, name: string): string[] =>
  [...foldersUp(from)].map((folder) => join(folder, name));

/** Returns the nearest file with this name in the folder or one of its parent folders. */
export const findUp = (from: string, name: string): string | undefined =>
  filesUp(from, name).find((file) => existsSync(file));
