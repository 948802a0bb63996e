import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import {
  listen,
  openPlatform,
  openRecords,
  tokenReroutes,
  type Emulator,
  type PlatformOptions,
  type RecordsOptions,
} from '../../src/emulator/index.js';
import { systemClock } from '../../src/base/clock.js';
import { nodeRuntime, ProcessPool, ScriptRunner, type ScriptRuntime } from '../../src/sandbox/index.js';
import { openStore } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { childProgram } from './child-program.js';

export interface LiveEmulator {
  emulator: Emulator;
  origin: string;
  consoleOrigin: string;
  store: Store;
  childPid(): number | undefined;
  unfinishedCalls(): number;
  load(source: string): Promise<void>;
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the emulator with a real socket, a child process and a database on disk, but without the command. */
export async function startLiveEmulator(
  source: string,
  options: Pick<RecordsOptions, 'integration'> & Partial<RecordsOptions & PlatformOptions>,
  runtime?: ScriptRuntime,
): Promise<LiveEmulator> {
  const folder = mkdtempSync(join(tmpdir(), 'live-'));
  const clock = systemClock;
  const listener = await listen({ port: 0, timers: clock });
  const consoleListener = await listen({ port: 0, timers: clock });
  const { origin } = listener;
  const { origin: consoleOrigin } = consoleListener;
  const store = openStore({ file: join(folder, 'state.db'), clock });
  const records = openRecords({ store, clock, token: 'control', ...options });
  const sandbox = new ScriptRunner({
    processes: new ProcessPool({
      folder,
      runtime:
        runtime ?? nodeRuntime({ childFile: await childProgram(), node: process.execPath, version: '1.2.3' }),
    }),
    outbound: { reroutes: tokenReroutes(consoleOrigin), details: true },
    observer: records.observer,
  });
  const emulator = openPlatform(records, {
    host: sandbox,
    timers: clock,
    origin,
    consoleOrigin,
    platformVersion: '1.0.0',
    ...options,
  });
  listener.serve((request) => emulator.fetch(request));
  consoleListener.serve(emulator.fetchConsole);
  const load = async (text: string): Promise<void> => {
    await sandbox.load(await bundleScript(text));
  };
  let stopped: Promise<unknown> | undefined;
  const stopListening = async (): Promise<void> => {
    await (stopped ??= Promise.all([listener.close(), consoleListener.close()]));
  };
  await load(source);
  await emulator.start();
  return {
    emulator,
    origin,
    consoleOrigin,
    store,
    childPid: () => sandbox.pid(),
    unfinishedCalls: () => sandbox.unfinishedCalls(),
    load,
    stopListening,
    async close() {
      await stopListening();
      await emulator.close();
      await sandbox.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function bundleScript(contents: string): Promise<{ code: string; map: string }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    alias: { 'integration-platform': fileURLToPath(new URL('../../src/runtime/index.ts', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    sourcemap: 'external',
    outdir: 'out',
    write: false,
    logLevel: 'error',
  });
  const find = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { code: find('.js'), map: find('.map') };
}
