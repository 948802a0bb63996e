import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./peers/', import.meta.url));

/** The part of Miniflare's interface that is measured. */
export interface Peer {
  ready: Promise<URL>;
  setOptions(options: object): Promise<void>;
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}

/** Installed from its own lock file the first time that it is asked for. */
export async function startMiniflare(options: object): Promise<Peer> {
  const entry = `${folder}node_modules/miniflare/dist/src/index.js`;
  if (!existsSync(entry)) execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  const { Miniflare } = (await import(entry)) as { Miniflare: new (options: object) => Peer };
  return new Miniflare(options);
}
