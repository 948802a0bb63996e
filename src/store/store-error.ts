export type StoreErrorCode =
  | 'store/corrupt'
  | 'store/newer'
  | 'store/outdated'
  | 'store/missing'
  | 'store/secret-key'
  | 'store/busy'
  | 'store/full'
  | 'store/unreadable'
  | 'store/driver'
  | 'store/unreachable'
  | 'store/refused'
  | 'store/unsuitable';

/** Has the same shape as `UserError` in `diagnostics`: the command recognizes it by its name. */
export class StoreError extends Error {
  override readonly name = 'UserError';
  readonly code: StoreErrorCode;
  readonly hint: string | undefined;

  constructor(code: StoreErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Explains a database error to the person who runs the platform. Other errors are returned unchanged. */
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
    return new StoreError('store/full', `The state file ${file} could not be written: is the disk full?`, {
      hint: 'Free some space. Nothing that was reported as saved is lost.',
      cause: error,
    });
  }
  return /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code) ? unreadable(file, error) : error;
}

export const unreadable = (file: string, cause: unknown): StoreError =>
  new StoreError('store/unreadable', `The state file ${file} cannot be opened for writing.`, {
    hint: 'Check the permissions of the file and its folder.',
    cause,
  });
