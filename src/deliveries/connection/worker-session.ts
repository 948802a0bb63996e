import type * as Pg from 'pg';
import type { SystemClock } from '../../base/clock.js';
import { createTurns } from '../../base/turns.js';
import { createDeadlines } from '../../base/deadlines.js';
import { WebhookError } from '../../webhooks/model/webhook-error.js';
import { workerOptions } from './connect-options.js';
import { cutConnection } from './cut-connection.js';
import { explainConnect } from './explain-error.js';
import type { Host } from './hosts.js';

export type Row = unknown[];

/** A statement that is prepared once per session. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * A worker's only session. It holds the locks for the worker's membership and lanes, and the worker uses it for all
 * reads and writes.
 */
export type WorkerSession = Awaited<ReturnType<typeof openWorkerSession>>;

/** Longer than the server's statement timeout. If a response takes longer, the connection must have been lost. */
const responseTimeoutMs = 9000;
const stoppingTimeoutMs = 2500;
/** Short, so that an interrupted connection attempt is soon retried. */
const connectTimeoutMs = 3000;
/** Shorter than the time after which the server ends an idle session. */
const provenMs = 7000;

const ping: Statement = { name: 'ping', text: 'select 1' };

/** Whether the error ended the session rather than just a single statement. */
const endsSession = (error: unknown): boolean => {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return (
    severity === 'FATAL' || typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57P)/.test(code)
  );
};

export async function openWorkerSession(options: {
  pg: typeof Pg;
  host: Host;
  serverOptions: string;
  name: string;
  clock: SystemClock;
}) {
  const { pg, host, serverOptions, name, clock } = options;
  const { config, where } = host;
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: name,
    options: workerOptions(serverOptions),
  });
  const lost = new AbortController();
  const deadlines = createDeadlines(clock, responseTimeoutMs);
  const proof = createProof(clock);
  const inTurn = createTurns();

  const lose = (cause: unknown): void => {
    if (lost.signal.aborted) return;
    lost.abort(sessionLost(where, cause));
    cutConnection(client);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('it was closed')));

  try {
    await client.connect();
  } catch (error) {
    lose(error);
    throw explainConnect(error, { where, user: client.user });
  }

  const run = async ({ name: statement, text }: Statement, values: unknown[]): Promise<Row[]> => {
    lost.signal.throwIfAborted();
    const answered = proof.begin();
    const cancel = deadlines.start(() => lose(new Error('no response in time')));
    try {
      const { rows } = await client.query<Row>({ name: statement, text, values, rowMode: 'array' });
      answered();
      return rows;
    } catch (error) {
      if (endsSession(error)) lose(error);
      lost.signal.throwIfAborted();
      throw error;
    } finally {
      cancel();
    }
  };

  /** Runs queries one after another. */
  const query = (statement: Statement, values: unknown[] = []): Promise<Row[]> =>
    inTurn(() => run(statement, values));

  const [row] = await query({ name: 'pid', text: 'select pg_backend_pid()' });
  void pingWhenIdle({ clock, lost: lost.signal, ageMs: proof.ageMs, ping: () => query(ping) });
  let pinging: Promise<void> | undefined;
  const prove = async (): Promise<void> => {
    while (proof.ageMs() >= provenMs) await query(ping);
  };

  return {
    pid: Number(row?.[0]),
    /** Aborted as soon as the session is lost. A lost session is never reopened. */
    lost: lost.signal,
    query,
    /** Resolves once the session is known to have been alive within the last 7 s. Returns undefined if that is already known. */
    alive() {
      lost.signal.throwIfAborted();
      if (proof.ageMs() < provenMs) return undefined;
      pinging ??= prove().finally(() => (pinging = undefined));
      return pinging;
    },
    /** Gives the server less time than usual to respond, because this worker is stopping. */
    hurry() {
      const cancel = createDeadlines(clock, stoppingTimeoutMs).start(() =>
        lose(new Error('no response in time')),
      );
      void query(ping).then(cancel, cancel);
    },
    /** Ends the session after its last query. */
    async end() {
      await inTurn(async () => undefined);
      lose(new Error('this worker was closed'));
    },
  };
}

function sessionLost(where: string, cause: unknown): WebhookError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const error = new WebhookError('right-lost', `The connection to Postgres at ${where} was lost: ${why}`);
  error.cause = cause;
  return error;
}

/** Records when the last completed query was sent, because the session was still alive then. */
function createProof(clock: SystemClock): { begin(): () => void; ageMs(): number } {
  const now = (): { monotonic: number; wall: number } => ({
    monotonic: clock.monotonic(),
    wall: clock.now(),
  });
  let proven = now();
  return {
    begin() {
      const sent = now();
      return () => void (proven = sent);
    },
    // The monotonic clock may stop while the machine is asleep.
    ageMs: () => Math.max(clock.monotonic() - proven.monotonic, clock.now() - proven.wall),
  };
}

/** Short enough to send a ping well before the server would end an idle session. */
const idleMs = 3000;
/** The delay before the next ping if one failed but the session has not ended. */
const leastPauseMs = 100;

/**
 * Keeps a session alive while its owner is waiting, for example after an error or between infrequent polls. Resolves when the
 * session is lost.
 */
export async function pingWhenIdle(options: {
  clock: SystemClock;
  lost: AbortSignal;
  /** How long ago the last successful query was sent. */
  ageMs(): number;
  ping(): Promise<unknown>;
}): Promise<void> {
  const { clock, lost, ageMs, ping } = options;
  while (!lost.aborted) {
    await clock.sleep(Math.max(leastPauseMs, idleMs - ageMs()), lost).catch(() => undefined);
    if (!lost.aborted && ageMs() >= idleMs) await ping().catch(() => undefined);
  }
}
