import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Reads a file inside a folder, following symlinks within it. Returns undefined for anything else. `isServed` receives the real
 * path in the folder, because a link or a file system without case can give a file other names.
 */
export async function readInside(
  folder: string,
  path: string,
  isServed: (path: string) => boolean = () => true,
): Promise<Buffer | undefined> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    if (!real.startsWith(root + sep)) return undefined;
    if (!isServed(real.slice(root.length + 1).replaceAll(sep, '/'))) return undefined;
    // Without this flag, opening a FIFO would block until someone writes to it. Windows does not have this flag.
    const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return (await file.stat()).isFile() ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
