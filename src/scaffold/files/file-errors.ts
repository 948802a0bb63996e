import { UserError } from '../../base/user-error.js';

const reasons: Record<string, string> = {
  EACCES: 'You do not have permission to write to this location.',
  EPERM: 'You do not have permission to write to this location.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'Your disk quota is exhausted.',
  EEXIST: 'Something with that name already exists.',
  ENOTEMPTY: 'Something with that name already exists.',
  EISDIR: 'A folder with that name already exists.',
  ENAMETOOLONG: 'The name is too long.',
  ENOENT: 'A folder cannot be created at this location.',
  EINVAL: 'This system does not allow the name.',
  EBUSY: 'Another program is using a file with that name.',
  ENOTDIR: 'Part of the path is not a folder.',
};

/** An operation rejected by the system is not a bug in this program. */
export function asUserError(error: unknown, shown: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  return reason === undefined
    ? error
    : new UserError('cannot-write', `Could not write ${shown}. ${reason}`, 'No files were left behind.');
}
