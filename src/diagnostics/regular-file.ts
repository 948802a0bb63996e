import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { UserError } from './user-error.js';

/** What a path is when it is no regular file, for messages. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a FIFO';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Opening a FIFO waits for its other end unless told not to. Windows has no such flag, and no FIFOs. */
export function openRegularFile(file: string, flags = 0): number {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  const stats = fstatSync(handle);
  if (stats.isFile()) return handle;
  closeSync(handle);
  throw new UserError(
    'not-a-file',
    `${file} is ${kindOf(stats)}, not a regular file.`,
    'Put a regular file in its place.',
  );
}

/** The content of a file that others chose: never waits for a FIFO, never reads a device. */
export function readRegularFile(file: string): Buffer {
  const handle = openRegularFile(file);
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}
