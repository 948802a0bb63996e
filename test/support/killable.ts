import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url));

const built = new Map<string, Promise<string>>();

async function bundle(entry: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'platform-program-')), 'program.cjs');
  await build({
    entryPoints: [path(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    external: ['libsql', 'vitest'],
    logLevel: 'error',
  });
  return outfile;
}

export interface Killable {
  child: ChildProcess;
  /** The numbers that the program has printed as `ack <n>`. */
  acked: number[];
  /** Resolves to whether the program exited by itself. */
  ended: Promise<boolean>;
}

/** Runs a program in this folder as a separate process, optionally under another program. */
export async function startKillable(
  entry: string,
  argument: string,
  under: readonly string[] = [],
): Promise<Killable> {
  const program = built.get(entry) ?? bundle(entry);
  built.set(entry, program);
  const [command, ...rest] = [...under, process.execPath, await program, argument];
  const child = spawn(command ?? '', rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: path('../../node_modules') },
  });
  const acked: number[] = [];
  let begun = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) acked.push(Number(/^ack (\d+)$/.exec(line)?.[1]));
  });
  return { child, acked, ended: once(child, 'close').then(([code]) => code === 0) };
}
