/** What the world is told of an error that a handler threw: the error itself is in the log alone. */
export const internalError = 'Internal server error';

/**
 * An error whose message may be shown to the user. Any other error is answered with
 * "Internal server error", and its text goes to the log alone.
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
  /** Tells an error of another copy of this package, too. */
  readonly exposable = true;
  /** The HTTP status of the answer. */
  declare readonly code: number;

  constructor(message: string, code = 400) {
    super(message);
    this.code = code;
  }
}
