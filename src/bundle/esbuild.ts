import childProcess, { type SpawnOptions } from 'node:child_process';
import * as esbuild from 'esbuild';

/**
 * The bundler starts its process on first use, and offers no way to put it in its own process group. The process needs its
 * own group, because Ctrl-C in a terminal ends the command's whole process group and would stop the bundler in the middle of
 * a build. The bundler still exits when the command does, because its standard input is closed.
 */
function inOwnGroup<Result>(use: () => Result): Result {
  const { spawn } = childProcess;
  const spawnDetached = (command: string, args: readonly string[], options: SpawnOptions) =>
    spawn(command, args, { ...options, detached: true });
  childProcess.spawn = spawnDetached as typeof spawn;
  try {
    return use();
  } finally {
    childProcess.spawn = spawn;
  }
}

export const build = ((options) => inOwnGroup(() => esbuild.build(options))) as typeof esbuild.build;
export const context = ((options) => inOwnGroup(() => esbuild.context(options))) as typeof esbuild.context;
export const transform = ((input, options) =>
  inOwnGroup(() => esbuild.transform(input, options))) as typeof esbuild.transform;

/** Kills the bundler's process, which may be stuck reading something other than a regular file. Builds in progress fail. */
export const stopBundler = (): void => void esbuild.stop();
