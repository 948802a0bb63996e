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
  /** The folder that contains the session file. */
  folder: string;
  origin: string;
  consoleOrigin: string;
  /** Runs a command as if in another terminal. */
  cli(argv: string[], options?: CliOptions): Promise<CliResult & { json: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** Starts a platform on a real socket with the script in this process. Commands find it through its session file. */
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
      const clock = { ...systemClock, now: () => sample.clock.now() };
      const result = await runCli(argv, { cwd: folder, clock, ...cliOptions });
      const isDocument = argv.includes('--json') && !argv.includes('--follow');
      // Standard output must be exactly one document. Anything else does not parse.
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
