import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The whole new text or the whole old one, whatever happens meanwhile. Mode and symbolic links stay. */
export function replaceFile(file: string, text: string): void {
  const target = realpathSync(file);
  const unfinished = join(dirname(target), `.${basename(target)}.${Math.random().toString(36).slice(2)}`);
  const handle = openSync(unfinished, 'wx', 0o600);
  try {
    try {
      writeFileSync(handle, text);
      fchmodSync(handle, statSync(target).mode);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
