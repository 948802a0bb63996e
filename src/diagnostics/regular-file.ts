import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, type Stats } from 'node:fs';
import { UserError } from '../base/user-error.js';

/** What a path is when it is no regular file, for messages. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a FIFO';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/**
 * A regular file or a folder, which the system refuses to read. Opening a FIFO waits for its other end unless
 * told not to; Windows has no such flag, and no FIFOs.
 */
export function openRegularFile(file: string, flags = 0): number {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  const stats = fstatSync(handle);
  if (stats.isFile() || stats.isDirectory()) return handle;
  closeSync(handle);
  throw notRegular(file, stats);
}

/** What a shell passes for `<(command)`: its other end is there. */
const ownPipe = /^\/(dev|proc\/self)\/(fd\/\d+|stdin)$/;

/** The content of a file that others chose: never waits for a FIFO, never reads a device. */
export function readRegularFile(file: string): Buffer {
  if (ownPipe.test(file)) return readFileSync(file);
  const handle = openRegularFile(file);
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Before another program reads them, which would wait for ever for a FIFO. */
export function refuseOddFiles(files: Iterable<string>): void {
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile() && !stats.isDirectory()) throw notRegular(file, stats);
  }
}

const notRegular = (file: string, stats: Stats): UserError =>
  new UserError(
    'not-a-file',
    `${file} is ${kindOf(stats)}, not a regular file.`,
    'Put a regular file in its place.',
  );
