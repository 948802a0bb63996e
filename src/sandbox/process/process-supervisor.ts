import { errorMessage } from '../../base/text/error-message.js';
import type { Timers } from '../../base/clock.js';
import { createLoadingProcesses } from './loading-processes.js';
import { restartDelay } from './restart-delay.js';
import { createServingProcess } from './process-handover.js';
import type { ScriptFolder, Script, ScriptFile } from './script-folder.js';
import type { DefinedIds } from '../script-host.js';
import type { ScriptProcess } from './script-process.js';
import type { Lease } from './unfinished-calls.js';

/**
 * Decides which process serves calls: the current one, the next one that is loading, and previous ones that
 * finish their work.
 */
export interface ProcessSupervisor {
  /** Starts a process ahead of time, before there is a script for it. */
  start(): void;
  /** Rejects if the script cannot be loaded. The previous script then keeps serving calls. */
  load(script: Script): Promise<'loaded' | 'superseded'>;
  /**
   * Keeps the serving process alive for one call. Waits until there is one, or resolves to the reason why
   * there will be none.
   */
  lease(): Promise<Lease | string>;
  pid(): number | undefined;
  definedIds(): DefinedIds | undefined;
  /** Resolves when the `waitUntil` work of the process that serves calls is done. */
  settled(): Promise<void>;
  /**
   * Call this when the current process has completed a call: if it ends later, that does not count as a
   * crash loop.
   */
  proven(): void;
  close(): Promise<void>;
}

interface Options {
  timers: Timers;
  files: ScriptFolder;
  startProcess(): ScriptProcess;
  logError(text: string): void;
  /** How long a script may take to load, and how long its calls may take to finish after a reload. */
  patienceMs: number;
  inspect: number | undefined;
  /** Keeps a process ready for the next script. */
  standby: boolean;
}

export function createProcessSupervisor(options: Options): ProcessSupervisor {
  const { timers, files, logError, standby } = options;
  const closing = new AbortController();
  let script: ScriptFile | undefined;
  let refusal = 'No script has been loaded yet.';
  let crashes = 0;
  /** Counts loads and restarts. Anything that started with an older number is out of date. */
  let turn = 0;

  const recover = async (why: string): Promise<void> => {
    crashes += 1;
    const mine = turn;
    const delay = restartDelay(crashes);
    logError(crashNotice(why, standby ? delay : undefined));
    if (delay > 0) {
      refusal = crashRefusal(why, crashes, delay);
      await timers.sleep(delay, closing.signal).catch(() => {});
    }
    if (mine === turn) await restart();
  };
  const serving = createServingProcess({ ...options, onCrash: (why) => void recover(why) });
  const loading = createLoadingProcesses({
    ...options,
    signal: closing.signal,
    handOver(process, file) {
      serving.replace(process);
      if (script && script !== file) files.forget(script);
      script = file;
    },
  });

  /** Restarts the last working script, unless a newer one comes first. */
  const restart = async (): Promise<void> => {
    const mine = turn;
    const missing = (): boolean => mine === turn && !serving.current();
    if (!script || !missing()) return;
    try {
      await loading.load(script, missing);
    } catch (error) {
      await recover(errorMessage(error));
    }
  };

  const load = async (next: Script): Promise<'loaded' | 'superseded'> => {
    closing.signal.throwIfAborted();
    turn += 1;
    const mine = turn;
    loading.kill();
    const file = files.write(next);
    try {
      const outcome = await loading.load(file, () => mine === turn);
      if (outcome === 'loaded') crashes = 0;
      else files.forget(file);
      return outcome;
    } catch (error) {
      files.forget(file);
      if (mine === turn) void restart();
      throw error;
    }
  };

  return {
    start: loading.prepare,
    load,
    lease: () => serving.lease(loading.settled, () => refusal),
    pid: () => serving.current()?.process.pid,
    definedIds: () => serving.current()?.process.definedIds(),
    settled: async () => serving.current()?.process.drain(),
    proven: () => (crashes = 0),
    async close() {
      turn += 1;
      closing.abort(new Error('The sandbox is closed.'));
      refusal = 'The platform is stopping.';
      await serving.close();
      await loading.endAll();
    },
  };
}

/** Without `delay`, the script belongs to a check, and the author does not see its restart. */
const crashNotice = (why: string, delay: number | undefined): string => {
  const next =
    delay === undefined
      ? ''
      : delay === 0
        ? ' Starting it again.'
        : ` Starting it again in ${delay / 1000} s.`;
  return `The script's process ended unexpectedly: ${why}.${next}`;
};

const crashRefusal = (why: string, crashes: number, delay: number): string =>
  `The script's process ended ${crashes} times in a row (${why}). It restarts ${delay / 1000} s after the last exit, or when its code changes.`;
