import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimSession } from '../../src/dev/claim-session.js';
import { listen } from '../../src/emulator/index.js';
import { systemClock } from '../../src/base/clock.js';
import { runOutsideScopes, type ScriptModule } from '../../src/sandbox/index.js';
import { controlToken, createSample, type Sample } from '../emulator/emulator-under-test.js';
import { runCli, type CliOptions, type CliResult } from './run-cli.js';

export interface OpenSession extends Sample {
  /** Where the session's file lies. */
  folder: string;
  origin: string;
  consoleOrigin: string;
  /** A command in another terminal. */
  cli(argv: string[], options?: CliOptions): Promise<CliResult & { json: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** A platform on a real socket that commands find through its file, with the script in this process. */
export async function openSession(
  script: ScriptModule,
  options: Parameters<typeof createSample>[1] = {},
): Promise<OpenSession> {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  const listener = await listen({ port: 0, timers: systemClock });
  const consoleListener = await listen({ port: 0, timers: systemClock });
  const { origin } = listener;
  const { origin: consoleOrigin } = consoleListener;
  const sample = createSample(script, {
    outside: (request) => runOutsideScopes(() => fetch(request)),
    ...options,
    origin,
    consoleOrigin,
  });
  listener.serve((request) => sample.emulator.fetch(request));
  consoleListener.serve(sample.emulator.fetchConsole);
  const claim = await claimSession(folder, {
    pid: process.pid,
    platformVersion: '1.0.0',
    token: controlToken,
    userId: process.geteuid?.(),
    isRunning: () => false,
    isAnswering: async () => false,
    mayBeSecond: false,
  });
  await sample.emulator.start();
  claim.announce({ origin, consoleOrigin });
  return {
    ...sample,
    folder,
    origin,
    consoleOrigin,
    async cli(argv, cliOptions) {
      const result = await runCli(argv, { cwd: folder, clock: systemClock, ...cliOptions });
      const isDocument = argv.includes('--json') && !argv.includes('--follow');
      // One document, and nothing beside it: anything else does not parse.
      const json = isDocument ? (JSON.parse(result.stdout) as Record<string, unknown>) : {};
      return { ...result, json };
    },
    async close() {
      claim.release();
      await Promise.all([listener.close(), consoleListener.close()]);
      await sample.emulator.close();
      await sample.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
