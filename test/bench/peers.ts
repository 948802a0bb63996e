import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./peers/', import.meta.url));

/** The part of Miniflare's interface that the benchmark uses. */
export interface Peer {
  ready: Promise<URL>;
  setOptions(options: object): Promise<void>;
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}

/** Installs the peers from their own lock file on first use. */
export async function startMiniflare(options: object): Promise<Peer> {
  const entry = `${folder}node_modules/miniflare/dist/src/index.js`;
  if (!existsSync(entry)) execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  const { Miniflare } = (await import(entry)) as { Miniflare: new (options: object) => Peer };
  return new Miniflare(options);
}
