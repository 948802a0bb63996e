import { dirname } from 'node:path';

/** The folder and all that hold it, from the inside out. */
export function* foldersUp(folder: string): Generator<string> {
  yield folder;
  const above = dirname(folder);
  if (above !== folder) yield* foldersUp(above);
}
