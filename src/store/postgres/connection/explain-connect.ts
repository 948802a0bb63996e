import { StoreError } from '../../store-error.js';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Explains an error while connecting to the person who starts the process. The text never contains a
 * password.
 */
export function explainConnect(error: unknown, where: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  if (/unsupported startup parameter/.test(message)) return throughPooler(where, error);
  if (code === '53300') {
    return new StoreError('store/unreachable', `Postgres at ${where} has no free connection: ${message}.`, {
      hint: 'Raise the connection limit of Postgres, the database or the user. A worker needs up to 6 connections.',
      cause: error,
    });
  }
  if (/^(28|3D|42501)/.test(code)) {
    return new StoreError('store/refused', `Postgres at ${where} refused the connection: ${message}.`, {
      hint: 'Check the user, its password and permissions, and the name of the database.',
      cause: error,
    });
  }
  if (/^(E[A-Z]+|57P03)$/.test(code) || /timeout|terminated/i.test(message)) {
    return new StoreError('store/unreachable', `Cannot reach Postgres at ${where}: ${message || code}.`, {
      hint: 'Check that Postgres is running, and the host and port.',
      cause: error,
    });
  }
  return new StoreError('store/refused', `Cannot connect to Postgres at ${where}: ${message}.`, {
    hint: 'Check the address and its TLS settings, the user and its password.',
    cause: error,
  });
}

export const throughPooler = (where: string, cause?: unknown): StoreError =>
  new StoreError(
    'store/unsuitable',
    `The connection to ${where} goes through a pooler. A worker needs its own session: its locks would stay in the pooler's session.`,
    {
      hint: 'Give workers the address of Postgres itself. Processes that only enqueue may use the pooler.',
      cause,
    },
  );
