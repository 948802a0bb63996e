import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.js';

export interface PostgresServer {
  port: number;
  /** The URL of its first database. */
  url: string;
  /** `immediate` simulates a power failure. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** Whether it has stopped, for example because its disk is full. */
  hasEnded(): boolean;
  /** Suspends all of its processes and leaves their connections open. Returns a function that resumes them. */
  freeze(): () => void;
  /** Makes every later start a replica. */
  becomeReplica(): void;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

/** Postgres does not run as root. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function binaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const newest = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('Install Postgres: apt-get install postgresql');
  return join(root, newest, 'bin');
}

/**
 * Starts a separate server in a temporary folder of `parent`, on TCP, with `fsync` on. `access` is its `pg_hba.conf`,
 * which must trust `postgres` (by default, it trusts everybody).
 */
export async function startPostgres(
  settings: Record<string, string> = {},
  access?: string,
  parent = tmpdir(),
): Promise<PostgresServer> {
  const bin = binaries();
  const user = otherUser();
  const folder = mkdtempSync(join(parent, 'platform-postgres-'));
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  mkdirSync(data);
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const as = { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8', PATH: process.env['PATH'] } };
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...as, stdio: 'ignore' },
  );
  if (access !== undefined) writeFileSync(join(data, 'pg_hba.conf'), access);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    ...settings,
  };
  let server: ChildProcess | undefined;

  const accepts = async (): Promise<boolean> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  };

  const start = async (): Promise<void> => {
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const output = openSync(log, 'a');
    server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...options], {
      ...as,
      stdio: ['ignore', output, output],
    });
    for (const until = Date.now() + 30_000; !(await accepts());) {
      if (server.exitCode !== null || Date.now() > until) {
        throw new Error(`Postgres did not start: ${readFileSync(log, 'utf8').slice(-2000)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const hasEnded = (): boolean => !server || server.exitCode !== null || server.signalCode !== null;

  const stop = async (how: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    if (!server || hasEnded()) return;
    const exit = once(server, 'exit');
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await exit;
  };

  await start();
  return {
    port,
    url,
    start,
    stop,
    hasEnded,
    freeze() {
      const pid = String(server?.pid);
      const children = execFileSync('pgrep', ['-P', pid], { encoding: 'utf8' }).trim().split('\n');
      const signal = (name: NodeJS.Signals): void =>
        [pid, ...children].forEach((one) => process.kill(Number(one), name));
      signal('SIGSTOP');
      return () => signal('SIGCONT');
    },
    becomeReplica: () => writeFileSync(join(data, 'standby.signal'), ''),
    async remove() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
