import { UserError } from '../../base/user-error.js';

const reasons: Record<string, string> = {
  EACCES: 'You may not write there.',
  EPERM: 'You may not write there.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'Your quota is used up.',
  EEXIST: 'Something else is there.',
  ENOTEMPTY: 'Something else is there.',
  EISDIR: 'A folder is there.',
  ENAMETOOLONG: 'Its name is too long.',
  ENOENT: 'No folder can be made there.',
  ENOTDIR: 'A part of its path is no folder.',
};

/** What the system refuses is no mistake of ours. */
export function asUserError(error: unknown, shown: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  return reason === undefined
    ? error
    : new UserError('cannot-write', `${shown} can't be written. ${reason}`, 'Nothing was left behind.');
}
