import childProcess, { type SpawnOptions } from 'node:child_process';
import * as esbuild from 'esbuild';

/**
 * The bundler starts its process on first use, and has no option for this. Ctrl-C in a terminal ends the
 * command's whole process group, so the bundler has its own group; otherwise it would end in the middle of
 * a build. It exits together with the command, because its standard input is then closed.
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

/**
 * Ends the bundler's process, which can wait forever for a file that is not regular. Builds in progress
 * fail.
 */
export const stopBundler = (): void => void esbuild.stop();
