import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';

let child: Promise<string> | undefined;
let replay: Promise<string> | undefined;
let replayWorker: Promise<string> | undefined;
let worker: Promise<string> | undefined;

/** Bundles the program of the sandbox's child process in the same way as the package's build. */
export const childProgram = (): Promise<string> =>
  (child ??= bundle('script-child', 'child/main.ts', { platform: 'node', target: 'node20' }));

/** Bundles the program that replays recorded calls. */
export const replayProgram = (): Promise<string> =>
  (replay ??= bundle('script-replay', 'child/replay-main.ts', { platform: 'node', target: 'node20' }));

/** Bundles the module that runs in front of the script in workerd. */
export const workerProgram = (): Promise<string> =>
  (worker ??= bundle('script-worker', 'workerd/worker/main.ts', {
    platform: 'neutral',
    external: ['node:async_hooks', 'settings.json'],
  }));

/** Bundles the module that replays recorded calls in workerd. */
export const replayWorkerProgram = (): Promise<string> =>
  (replayWorker ??= bundle('script-replay-worker', 'workerd/worker/replay-main.ts', {
    platform: 'neutral',
    external: ['node:async_hooks', 'settings.json'],
  }));

async function bundle(name: string, entry: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/sandbox/${entry}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    logLevel: 'error',
    ...options,
    write: false,
  });
  const code = outputFiles[0]?.text ?? '';
  // The name contains a hash of the content, so test runs share the file and leave only one for each version.
  const file = join(tmpdir(), `${name}-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  const own = `${file}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, file);
  return file;
}
