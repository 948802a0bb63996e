export interface Log {
  info(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
}

/**
 * A log whose lines begin with a name.
 *
 * @example
 * ```ts
 * import { Logger } from 'integration-platform';
 *
 * const logger = Logger('sync');
 * logger.info('Two pages have changed', ['intro', 'setup']);
 * ```
 */
export const Logger = (namespace: string): Log => ({
  info: (message, ...details) => console.log(`[${namespace}] ${message}`, ...details),
  debug: (message, ...details) => console.debug(`[${namespace}] ${message}`, ...details),
  error: (message, ...details) => console.error(`[${namespace}] ${message}`, ...details),
});

/** What the runtime itself has to say. */
export const logger = Logger('integrations');
