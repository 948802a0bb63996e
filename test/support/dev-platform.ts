import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, portReleased } from './free-port.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built `platform dev`, running on a copy of a fixture. */
export interface DevPlatform {
  /** The origin of the public port. */
  origin: string;
  /** The origin of the console, which changes after a restart. */
  consoleOrigin: string;
  /** The key that this start generated. */
  key: string;
  /** The origin of the site, which has its own key. */
  siteOrigin: string;
  siteKey: string;
  folder: string;
  /** The public endpoint of the first installation. */
  endpoint: string;
  /** What the current process has printed, in color if `FORCE_COLOR` is set. */
  output: string;
  /** Sends a request to the console API. */
  api<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Changes the text of a file in the project. */
  edit(file: string, change: (text: string) => string): void;
  /** Kills the process as abruptly as a power failure. */
  kill(): Promise<void>;
  /** Kills the process and starts another one with the same state and public port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startDevPlatform(
  fixture: string,
  options: string[] = [],
  prepare: (folder: string) => Promise<void> = async () => {},
): Promise<DevPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-dev-'));
  cpSync(join(root, 'test/fixtures', fixture), folder, { recursive: true });
  await prepare(folder);
  const port = await freePort();
  let running = await start(folder, port, options);
  const origin = `http://127.0.0.1:${port}`;
  const kill = async (): Promise<void> => {
    await stop(running.child, 'SIGKILL');
    await portReleased(port);
  };

  return {
    origin,
    folder,
    get consoleOrigin() {
      return running.consoleOrigin;
    },
    get siteOrigin() {
      return running.siteOrigin;
    },
    get siteKey() {
      return running.siteKey;
    },
    get key() {
      return running.key;
    },
    get endpoint() {
      return running.endpoint;
    },
    get output() {
      return running.output();
    },
    async api<T>(method: string, path: string, body?: unknown) {
      const response = await fetch(`${running.consoleOrigin}/console/api${path}`, {
        method,
        headers: { 'X-Platform-Token': running.key, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
    edit(file, change) {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
    },
    kill,
    async restart() {
      await kill();
      running = await start(folder, port, options);
    },
    async close() {
      await stop(running.child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  child: ChildProcess;
  consoleOrigin: string;
  siteOrigin: string;
  siteKey: string;
  key: string;
  endpoint: string;
  output(): string;
}

async function start(folder: string, port: number, options: string[]): Promise<Running> {
  const readyFile = join(folder, '.ready.json');
  rmSync(readyFile, { force: true });
  const child = spawn(
    process.execPath,
    [join(root, 'bin/platform.js'), 'dev', '--port', String(port), '--ready-file', readyFile, ...options],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        ...(process.env.FORCE_COLOR && { FORCE_COLOR: process.env.FORCE_COLOR }),
        HARBOR_CLIENT_ID: 'harbor-console',
        HARBOR_CLIENT_SECRET: 'canary-4f1d9a7c',
      },
    },
  );
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
  const deadline = Date.now() + 20_000;
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`platform dev did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { urls } = JSON.parse(readFileSync(readyFile, 'utf8')) as { urls: { publicEndpoint: string } };
  const session = JSON.parse(readFileSync(join(folder, '.platform/session.json'), 'utf8')) as {
    origin: string;
    consoleOrigin?: string;
    siteOrigin?: string;
    siteKey?: string;
    token: string;
  };
  const { consoleOrigin = session.origin, siteOrigin = '', siteKey = '', token: key } = session;
  return {
    child,
    consoleOrigin,
    siteOrigin,
    siteKey,
    key,
    endpoint: urls.publicEndpoint,
    output: () => output,
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
