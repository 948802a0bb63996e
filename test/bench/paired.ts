import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export interface Command {
  /** A comparison where each run needs a new function. */
  argv: string[] | (() => string[]);
  cwd?: string;
}

function wallOf({ argv: given, cwd }: Command): number {
  const argv = typeof given === 'function' ? given() : given;
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}\n${stderr}`);
  return performance.now() - start;
}

/** Runs whole processes in turn (A B A B …), so that machine speed drift does not skew the ratio. */
export function pairedRatio(a: Command, b: Command, runs = 21): { ratio: number; a: number; b: number } {
  wallOf(a);
  wallOf(b);
  const pairs = Array.from({ length: runs }, () => ({ a: wallOf(a), b: wallOf(b) }));
  return {
    ratio: median(pairs.map((pair) => pair.a / pair.b)),
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
  };
}
