import { StoreError } from '../../store-error.js';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Explains an error while connecting to the person who starts the process. The text never contains a
 * password.
 */
export function explainConnect(error: unknown, where: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  if (/unsupported startup parameter/.test(message)) return throughPooler(where, error);
  if (/^(28|3D|42501)/.test(code)) {
    return new StoreError('store/refused', `Postgres at ${where} refused the connection: ${message}.`, {
      hint: 'Check the user, its password and permissions, and the name of the database.',
      cause: error,
    });
  }
  if (/^(E[A-Z]+|57P03|53300)$/.test(code) || /timeout|terminated/i.test(message)) {
    return new StoreError('store/unreachable', `Cannot reach Postgres at ${where}: ${message || code}.`, {
      hint: 'Check that Postgres is running, and the host and port.',
      cause: error,
    });
  }
  return error;
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
