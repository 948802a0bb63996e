import { UserError } from '../../diagnostics/user-error.js';
import type { CommandContext } from '../command.js';
import { hintFor } from './refusal-hint.js';

/** The platform that runs in another terminal. */
export interface SessionClient {
  origin: string;
  get<T>(path: string, query?: Query): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T>;
  /** The bytes of a recorded body; undefined where none is kept. */
  bytes(path: string): Promise<Uint8Array | undefined>;
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export async function connect({ cwd, io }: Pick<CommandContext, 'cwd' | 'io'>): Promise<SessionClient> {
  const { findSession } = await import('../../dev/session-file.js');
  const session = findSession(cwd, io.isRunning);
  if (!session) throw notRunning('No platform runs in this folder or above it.');
  const { origin, consoleOrigin = origin, token } = session;

  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { 'X-Platform-Token': token, 'Content-Type': 'application/json' };
    try {
      return await fetch(`${consoleOrigin}/console/api${path}`, { ...init, headers });
    } catch {
      init.signal?.throwIfAborted();
      throw notRunning(`The platform at ${origin} does not answer.`);
    }
  };

  const read = async <T>(answer: Response): Promise<T> => {
    if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
    throw await refusalOf(answer);
  };

  return {
    origin,
    get: async (path, query = {}) => read(await request(`${path}${queryString(query)}`)),
    send: async (method, path, body) =>
      read(await request(path, { method, ...(body && { body: JSON.stringify(body) }) })),
    async bytes(path) {
      const answer = await request(path);
      if (answer.status === 404) return undefined;
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : read(answer);
    },
    async stream(path, signal) {
      const answer = await request(path, { signal });
      return answer.ok && answer.body ? answer.body : read(answer);
    },
  };
}

const notRunning = (message: string): UserError =>
  new UserError('no-session', message, 'Start one in another terminal: platform dev');

async function refusalOf(answer: Response): Promise<UserError> {
  const refusal = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const { error, code } = refusal;
  const message = typeof error === 'string' ? error : `The platform answered ${answer.status}.`;
  return new UserError(typeof code === 'string' ? code : `http-${answer.status}`, message, hintFor(refusal));
}

function queryString(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}
