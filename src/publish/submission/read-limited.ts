import { UserError } from '../../base/user-error.js';
import { readRegularFile } from '../../manifest/index.js';

/** A file of a project. Throws a UserError that names it if it is too large, or not a regular file. */
export function readLimited(file: string, maxBytes: number): Buffer {
  try {
    return readRegularFile(file, maxBytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError('unreadable-file', `${file} is not read: ${error.message}.`, 'Replace or remove it.');
  }
}
