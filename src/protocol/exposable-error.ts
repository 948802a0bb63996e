/** The response to an unexpected error, whose details appear only in the log. */
export const internalError = 'Internal server error';

/**
 * An error whose message is shown to the user. For all other errors, the user sees only "Internal server
 * error", and the details are logged.
 *
 * @example
 * ```ts
 * import { ExposableError } from 'integration-platform';
 *
 * function channelOf(configuration: { channel?: string }): string {
 *   if (!configuration.channel) throw new ExposableError('Choose a channel first.');
 *   return configuration.channel;
 * }
 * ```
 */
export class ExposableError extends Error {
  override readonly name: string = 'ExposableError';
  /** Also recognizes errors that were created by another copy of this package. `instanceof` does not work for such errors. */
  readonly exposable = true;
  /** The HTTP status of the response. */
  declare readonly code: number;

  constructor(message: string, code = 400) {
    super(message);
    this.code = code;
  }
}
