import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/', import.meta.url));

export interface PlatformRun {
  /** The exit code, or the name of the signal that ended the process. */
  code: number | string;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Ends a command that hangs. */
  limitMs?: number;
  program?: 'platform' | 'platform-webhooks';
  /** A file for its standard output instead of a pipe. */
  stdout?: number;
}

/** Runs the built command once as a separate process. */
export function runPlatform(argv: readonly string[], options: RunOptions = {}): Promise<PlatformRun> {
  const { cwd, env, limitMs = 20_000, stdout = 'pipe', program = 'platform' } = options;
  const began = performance.now();
  const child = spawn(process.execPath, [`${bin}${program}.js`, ...argv], {
    cwd,
    stdio: ['ignore', stdout, 'pipe'],
    env: { ...process.env, CI: '1', ...env },
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (piece: string) => (text[name] += piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code: code ?? signal ?? '', ...text, ms: performance.now() - began }),
    );
  });
}

export const runWebhooks = (argv: readonly string[], options: RunOptions = {}): Promise<PlatformRun> =>
  runPlatform(argv, { ...options, program: 'platform-webhooks' });
