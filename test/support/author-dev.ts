import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { devHere, type DevHere } from './dev-here.js';
import { temporaryFolder } from './temporary-folder.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/author', import.meta.url));

/** Gives each test a fresh copy of the author's project and a `platform dev` on it, which stops after the test. */
export function useAuthorProject(): {
  readonly folder: string;
  dev(argv?: string[], options?: Parameters<typeof devHere>[2]): DevHere;
} {
  let folder = '';
  let running: DevHere[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
    cpSync(fixture, folder, { recursive: true });
  });
  afterEach(async () => {
    await Promise.all(running.map((dev) => dev.stop()));
    running = [];
  });
  return {
    get folder() {
      return folder;
    },
    dev(argv = [], options = {}) {
      const started = devHere(folder, ['--port', '0', ...argv], options);
      running.push(started);
      return started;
    },
  };
}
