import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDev, type DevSession } from './dev-session.js';
import { portReleased } from './free-port.js';

export interface DevProject extends DevSession {
  folder: string;
  /** The key that this start generated, read from the file that only its owner can read. */
  key: string;
  close(): Promise<void>;
}

/** Runs `platform dev` as a separate process on a copy of a fixture. Tests may replace the script. */
export async function startDevProject(
  fixture: string,
  argv: string[] = [],
  prepare: (folder: string) => void = () => {},
): Promise<DevProject> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-boundary-'));
  cpSync(fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url)), folder, { recursive: true });
  prepare(folder);
  const session = await startDev(folder, argv);
  const { token } = JSON.parse(readFileSync(join(folder, '.platform/session.json'), 'utf8')) as {
    token: string;
  };
  return {
    ...session,
    folder,
    key: token,
    async close() {
      await session.stop('SIGKILL');
      await portReleased(Number(new URL(session.urls.publicEndpoint).port));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
