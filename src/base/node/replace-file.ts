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
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';

const sleep = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** On Windows, renaming fails while another program, such as a virus scanner, has the file open, so it is tried for about a second. */
export function renameOver(
  from: string,
  to: string,
  { rename, wait, isWindows } = { rename: renameSync, wait: sleep, isWindows: platform() === 'win32' },
): void {
  for (let ms = isWindows ? 10 : 1000; ; ms *= 2) {
    try {
      return rename(from, to);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (ms > 500 || !['EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error;
      wait(ms);
    }
  }
}

/**
 * Replaces a file atomically, so that it always has either the old or the new content. Keeps the file mode and
 * follows symlinks. A new file is created with `newMode`.
 */
export function replaceFile(file: string, content: string | Uint8Array, newMode = 0o666): void {
  const former = statSync(file, { throwIfNoEntry: false });
  const target = former ? realpathSync(file) : file;
  // File systems limit names to 255 bytes, so a long name is shortened to leave room for the random part.
  const name = basename(target).slice(0, 60);
  const unfinished = join(dirname(target), `.${name}.${Math.random().toString(36).slice(2)}`);
  try {
    const handle = openSync(unfinished, 'wx', former ? 0o600 : newMode);
    try {
      writeFileSync(handle, content);
      if (former) fchmodSync(handle, former.mode);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameOver(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    // Replaces the path of the temporary file, which the error may contain.
    throw Object.assign(error as Error, { path: file });
  }
}
