import { errorMessage } from '../../base/text/error-message.js';
import type { Timers } from '../../base/clock.js';
import { withTimeout } from '../../base/deadlines.js';
import type { ScriptFile } from './script-folder.js';
import type { ScriptProcess } from './script-process.js';
import { createStandbyProcess } from './standby-process.js';

export interface LoadingProcesses {
  /** Starts a process ahead of time, before there is a script for it. */
  prepare(): void;
  /** Loads a script in a process and hands the process over, unless it is no longer wanted by then. */
  load(file: ScriptFile, wanted: () => boolean): Promise<'loaded' | 'superseded'>;
  /** Ends the processes that are loading. */
  kill(): void;
  /** Resolves when one of them has loaded or failed. Undefined if no process is loading. */
  settled(): Promise<void> | undefined;
  /** Ends all processes, including those that were handed over. */
  endAll(): Promise<void>;
}

interface Options {
  timers: Timers;
  startProcess(): ScriptProcess;
  /** How long a script may take to load. */
  patienceMs: number;
  /** Keeps a process ready for the next script. */
  standby: boolean;
  /** When aborted, no standby is started anymore. */
  signal: AbortSignal;
  handOver(process: ScriptProcess, file: ScriptFile): void;
}

const STANDBY_AFTER_MS = 20;

export function createLoadingProcesses(options: Options): LoadingProcesses {
  const { timers, startProcess, patienceMs, signal, handOver } = options;
  const alive = new Set<ScriptProcess>();
  const loading = new Set<{ process: ScriptProcess; settled: Promise<void> }>();
  const standby = createStandbyProcess(() => {
    const process = startProcess();
    alive.add(process);
    void process.exited.then(() => alive.delete(process));
    return process;
  });

  const loadIn = async (
    process: ScriptProcess,
    file: ScriptFile,
    wanted: () => boolean,
  ): Promise<'loaded' | 'superseded'> => {
    try {
      const loaded = await withTimeout(timers, patienceMs, process.load(file), 'late');
      if (loaded === 'late') throw new Error(tooLong(patienceMs));
    } catch (error) {
      process.kill();
      if (wanted()) throw new ScriptLoadError(errorMessage(error));
    }
    if (!wanted()) {
      process.kill();
      return 'superseded';
    }
    handOver(process, file);
    return 'loaded';
  };

  return {
    prepare: standby.prepare,
    async load(file, wanted) {
      const process = standby.take();
      const task = loadIn(process, file, wanted);
      const entry = { process, settled: task.then(ignore, ignore) };
      loading.add(entry);
      try {
        return await task;
      } finally {
        loading.delete(entry);
        timers.sleep(STANDBY_AFTER_MS, signal).then(() => {
          void process.warm();
          if (options.standby) standby.prepare();
        }, ignore);
      }
    },
    kill() {
      for (const { process } of loading) process.kill();
    },
    settled: () =>
      loading.size === 0 ? undefined : Promise.race(Array.from(loading, ({ settled }) => settled)),
    async endAll() {
      await Promise.all(Array.from(alive, (process) => process.end()));
    },
  };
}

/** The script is at fault, and not the machine: its own error, or it never finished loading. */
class ScriptLoadError extends Error {
  readonly code = 'script-load-failed';
}

export const isScriptLoadError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'script-load-failed';

const ignore = (): void => {};

const tooLong = (ms: number): string =>
  `The script took longer than ${ms / 1000} s to load. ${adviceOnLoading}`;

/** Advice for an author whose script does not finish loading. */
export const adviceOnLoading =
  'Look for an endless loop, or for an await outside of functions that never resolves.';
