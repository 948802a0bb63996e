import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * The bytes of a file that somebody else may have made. Throws a RangeError, without the file's name, for a
 * file that is larger and for anything that is not a regular file: opening a FIFO does not wait.
 */
export function readRegularFile(file: string, maxBytes: number): Buffer {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new RangeError('it is not a regular file');
    if (stats.size > maxBytes) throw new RangeError(`it has ${stats.size} bytes, more than ${maxBytes}`);
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(handle, bytes, length, bytes.length - length, length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
