import { isUserError, UserError } from './user-error.js';

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
