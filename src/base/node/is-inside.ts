import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Whether a path exists and resolves to something in this folder. The folder's own path must not contain symlinks. */
export function isInside(path: string, folder: string): boolean {
  try {
    const real = realpathSync(path);
    return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  } catch {
    return false;
  }
}
