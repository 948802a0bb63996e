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
export const Logger = (namespace: string): Log => {
  const to =
    (stream: 'log' | 'debug' | 'error'): Log['info'] =>
    (message, ...details) =>
      console[stream](`[${namespace}] ${message}`, ...details);
  return { info: to('log'), debug: to('debug'), error: to('error') };
};

/** What the runtime itself has to say. */
export const logger = Logger('integrations');

/** With its stack and its causes, as the platform shows them. */
export const logThrown = (error: unknown): void => console.error('[integrations]', error);
