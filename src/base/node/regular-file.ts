import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { isUserError, UserError } from '../user-error.js';

type Refusal = 'file-too-large' | 'not-a-file';

/** Thrown if a file must not be read. `reason` completes a sentence that starts with the file's name. */
class RefusedFile extends UserError<Refusal> {
  readonly reason: string;

  constructor(code: Refusal, file: string, reason: string, help: string) {
    super(code, `${file} ${reason}.`, help);
    this.reason = reason;
  }
}

export const isRefusedFile = (error: unknown): error is RefusedFile =>
  isUserError(error) && 'reason' in error;

/** Returns a description of a path that is not a regular file. */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a FIFO';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/**
 * Opens a regular file or a folder. Without `O_NONBLOCK`, opening a FIFO would block until another process opens the other
 * end. Windows has neither this flag nor FIFOs.
 */
export function openRegularFile(file: string, flags = 0): number {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  const stats = fstatSync(handle);
  if (stats.isFile() || stats.isDirectory()) return handle;
  closeSync(handle);
  throw notRegular(file, stats);
}

/** The path of the pipe that a shell passes for `<(command)`. The other end of the pipe is already open. */
const ownPipe = /^\/(dev|proc\/self)\/(fd\/\d+|stdin)$/;

/**
 * Reads a file at an untrusted path. Never waits for a FIFO and never reads a device. If there is a limit, also
 * rejects folders, pipes and files that exceed it.
 */
export function readRegularFile(file: string, maxBytes?: number): Buffer {
  if (maxBytes === undefined && ownPipe.test(file)) return readFileSync(file);
  const handle = openRegularFile(file);
  try {
    return maxBytes === undefined ? readFileSync(handle) : readAtMost(handle, file, maxBytes);
  } finally {
    closeSync(handle);
  }
}

/** If the file grows during the read, the additional bytes are ignored. */
function readAtMost(handle: number, file: string, maxBytes: number): Buffer {
  const stats = fstatSync(handle);
  if (!stats.isFile()) throw notRegular(file, stats);
  if (stats.size > maxBytes) {
    const reason = `is ${stats.size} bytes, which is more than ${maxBytes}`;
    throw new RefusedFile('file-too-large', file, reason, 'Replace it with a smaller file, or remove it.');
  }
  const bytes = Buffer.alloc(stats.size);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(handle, bytes, length, bytes.length - length, length);
  return bytes.subarray(0, length);
}

/** Must run before another program reads the files, which would hang if one of them were a FIFO. */
export function refuseSpecialFiles(files: Iterable<string>): void {
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile() && !stats.isDirectory()) throw notRegular(file, stats);
  }
}

const notRegular = (file: string, stats: Stats): RefusedFile =>
  new RefusedFile(
    'not-a-file',
    file,
    `is ${kindOf(stats)}, not a regular file`,
    'Replace it with a regular file.',
  );
