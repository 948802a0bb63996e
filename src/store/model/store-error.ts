import { isUserError, UserError } from '../../base/user-error.js';

export type StoreErrorCode =
  | 'store/corrupt'
  | 'store/damaged-endpoint'
  | 'store/newer'
  | 'store/outdated'
  | 'store/missing'
  | 'store/secret-key'
  | 'store/busy'
  | 'store/full'
  | 'store/unreadable'
  | 'store/driver'
  | 'store/unreachable'
  | 'store/too-large'
  | 'store/unsuitable'
  | 'store/authentication'
  | 'store/rights'
  | 'store/tls'
  | 'store/timeout'
  /** The connection was lost before the database responded to a statement that changes data. */
  | 'store/outcome-unknown'
  /** The database reported any other error. */
  | 'store/failed';

/** A database or file error that the person running the platform can fix. */
export class StoreError extends UserError<StoreErrorCode> {
  constructor(
    code: StoreErrorCode,
    message: string,
    { hint, cause }: { hint?: string; cause?: unknown } = {},
  ) {
    super(code, message, hint, cause);
  }
}

export const isStoreError = (error: unknown): error is StoreError =>
  isUserError(error) && error.code.startsWith('store/');

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Explains a database error to the person running the platform. Returns other errors unchanged. */
export function explainError(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new StoreError('store/corrupt', `The state file ${file} is damaged and cannot be read.`, {
      hint: 'To keep the file, move it to another folder. To start over, run `platform dev --fresh`.',
      cause: error,
    });
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new StoreError('store/busy', `The state file ${file} is in use by another process.`, {
      hint: 'Stop the other process, then try again.',
      cause: error,
    });
  }
  if (/^SQLITE_(FULL|IOERR)/.test(code)) {
    return new StoreError(
      'store/full',
      `The state file ${file} could not be written. The disk may be full.`,
      {
        hint: 'Free some space. Everything already reported as saved is safe.',
        cause: error,
      },
    );
  }
  return /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code) ? unreadable(file, error) : error;
}

export const unreadable = (file: string, cause: unknown): StoreError =>
  new StoreError('store/unreadable', `The state file ${file} cannot be opened for writing.`, {
    hint: 'Check the permissions of the file and its folder.',
    cause,
  });
