import { CodedError, recognize } from './coded-error.js';

/** An error caused by incorrect usage or by the environment. The error is printed without a stack, and the exit code is 2. */
export class UserError<Code extends string = string> extends CodedError<Code> {
  override readonly name = 'UserError';

  constructor(code: Code, message: string, hint?: string, cause?: unknown) {
    super(code, message, { ...(hint !== undefined && { hint }), cause });
  }
}

export const isUserError = recognize<UserError>('UserError');
