import type * as Pg from 'pg';
import { StoreError } from '../../base/store-error.js';
import { workerSettings } from './connect-options.js';
import { cutConnection } from './cut-connection.js';
import { explainConnect, throughPooler } from './explain-error.js';
import type { Host } from './hosts.js';
import type { Row, WorkerSession } from './worker-session.js';

const oldestServer = 140_000;
const responseMs = 3000;

/** Throws if the session cannot be used for deliveries because its locks and timeouts would not work. */
export async function checkSession(
  session: WorkerSession,
  options: { pg: typeof Pg; host: Host },
): Promise<void> {
  const { where } = options.host;
  const [server] = await session.query({
    name: 'server',
    text: `select current_setting('server_version_num')::int, pg_is_in_recovery(), current_setting('server_version')`,
  });
  const [version, inRecovery, shown] = server ?? [];
  if (Number(version) < oldestServer) {
    throw unsuitable(`Postgres at ${where} is version ${String(shown)}.`, 'Version 14 or later is required.');
  }
  if (inRecovery === true) {
    throw unsuitable(`Postgres at ${where} is a replica, which is read-only.`, 'Connect to the primary.');
  }
  await refusePooler(session, options);
  await checkSettings(session, where);
}

const unsuitable = (message: string, hint: string): StoreError =>
  new StoreError('store/unsuitable', message, { hint });

async function checkSettings(session: WorkerSession, where: string): Promise<void> {
  const names = Object.keys(workerSettings);
  const found = await session.query(
    {
      name: 'settings',
      text: 'select n, current_setting(n), s.setting from unnest($1::text[]) n left join pg_settings s on lower(s.name) = lower(n)',
    },
    [names],
  );
  for (const [name, , setting] of found as [string, string, string][]) {
    // This timeout is not available on a Unix socket, or if the server runs on macOS or Windows.
    if (name === 'tcp_user_timeout' && setting === '0') continue;
    const wanted = workerSettings[name] ?? '';
    if (setting === wanted) continue;
    throw unsuitable(
      `The session at ${where} has ${name}=${setting}, but a worker needs ${wanted}.`,
      'A pooler or proxy may have removed the connection options. Connect to Postgres directly.',
    );
  }
}

/**
 * Detects a pooler that shares sessions between clients. While a second connection keeps a transaction open, such a
 * pooler moves the first connection to another session, or puts both in the same session.
 */
async function refusePooler(
  session: WorkerSession,
  { pg, host: { config, where } }: { pg: typeof Pg; host: Host },
): Promise<void> {
  // No table has this OID.
  const key = -1;
  const ask = (call: string): Promise<Row[]> =>
    session.query({
      name: `pooler ${call}`,
      text: `select ${call}(${key}, pg_backend_pid()), pg_backend_pid()`,
    });
  const other = new pg.Client({ ...config, query_timeout: responseMs });
  other.on('error', () => undefined);
  await other.connect().catch((error: unknown) => {
    throw explainConnect(error, { where, user: other.user });
  });
  try {
    await other.query('begin');
    await other.query('select 1');
    const [locked] = await ask('pg_try_advisory_lock');
    const second = await other.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1, $2) as taken',
      [key, session.pid],
    );
    const [after] = await ask('pg_advisory_unlock');
    const stays = Number(locked?.[1]) === session.pid && Number(after?.[1]) === session.pid;
    if (!stays || second.rows[0]?.taken !== false) throw throughPooler(where);
    await other.query('rollback');
  } finally {
    cutConnection(other);
  }
}
