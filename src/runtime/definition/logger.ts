/** A logger that writes to the console. */
export interface Log {
  /** Writes a message, with details. */
  info(message: string, ...details: unknown[]): void;
  /** Writes a message for debugging, with details. */
  debug(message: string, ...details: unknown[]): void;
  /** Writes an error, with details. */
  error(message: string, ...details: unknown[]): void;
}

/**
 * Creates a logger that prefixes each line with a name.
 *
 * @example
 * ```ts
 * import { Logger } from 'integration-platform';
 *
 * const logger = Logger('sync');
 * logger.info('Two pages have changed', ['intro', 'setup']);
 * ```
 */
export const Logger = (namespace: string): Log => {
  const to =
    (stream: 'log' | 'debug' | 'error'): Log['info'] =>
    (message, ...details) =>
      console[stream](`[${namespace}] ${message}`, ...details);
  return { info: to('log'), debug: to('debug'), error: to('error') };
};

/** The runtime's own log. */
export const logger = Logger('integrations');

/** Logs the error object itself, so that the platform shows its stack and causes. */
export const logThrown = (error: unknown): void => console.error('[integrations]', error);
