import { errorMessage } from '../../base/text/error-message.js';
import type { Clock } from '../../base/clock.js';
import { createLoadingProcesses } from './loading-processes.js';
import { restartDelay } from './restart-delay.js';
import { createServingProcess } from './process-handover.js';
import type { ScriptFolder, Script, ScriptFile } from './script-folder.js';
import type { ScriptProcess } from './script-process.js';
import type { Lease } from './unfinished-calls.js';

/** Who answers: one process at a time, the next one on its way, and those that finish their work. */
export interface ProcessSupervisor {
  /** Starts a process before there is a script for it. */
  start(): void;
  /** Rejects when the script cannot be loaded; the one before it goes on answering then. */
  load(script: Script): Promise<'loaded' | 'superseded'>;
  /** A place with whoever answers, as soon as somebody does, or in words why nobody will. */
  seat(): Promise<Lease | string>;
  pid(): number | undefined;
  components(): readonly string[] | undefined;
  /** Resolves when the `waitUntil` work of the process that serves calls is done. */
  settled(): Promise<void>;
  /** The current process has answered a call: ending after that is no loop of crashes. */
  proven(): void;
  close(): Promise<void>;
}

interface Options {
  clock: Clock;
  files: ScriptFolder;
  startProcess(): ScriptProcess;
  say(text: string): void;
  /** How long a script may take to load, and its calls to finish once another has taken over. */
  patienceMs: number;
  inspect: number | undefined;
  /** Keeps a process started for the next script. */
  standby: boolean;
}

export function createProcessSupervisor(options: Options): ProcessSupervisor {
  const { clock, files, say } = options;
  const closing = new AbortController();
  let script: ScriptFile | undefined;
  let refusal = 'No script has been loaded yet.';
  let crashes = 0;
  /** Counts what was asked for; whoever finds that it has moved on is out of date. */
  let turn = 0;

  const recover = async (why: string): Promise<void> => {
    crashes += 1;
    const mine = turn;
    const delay = restartDelay(crashes);
    say(crashNotice(why, delay));
    if (delay > 0) {
      refusal = crashRefusal(why, crashes, delay);
      await clock.sleep(delay, closing.signal).catch(() => {});
    }
    if (mine === turn) await revive();
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

  /** Brings back the script that answered last, unless a newer one comes first. */
  const revive = async (): Promise<void> => {
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
      if (mine === turn) void revive();
      throw error;
    }
  };

  return {
    start: loading.prepare,
    load,
    seat: () => serving.lease(loading.settled, () => refusal),
    pid: () => serving.current()?.process.pid,
    components: () => serving.current()?.process.components(),
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

const crashNotice = (why: string, delay: number): string => {
  const next = delay === 0 ? 'Starting it again.' : `Starting it again in ${delay / 1000} s.`;
  return `The script's process ended unexpectedly: ${why}. ${next}`;
};

const crashRefusal = (why: string, crashes: number, delay: number): string =>
  `The script's process ended ${crashes} times in a row (${why}). It is started again ${delay / 1000} s after the last time, or when its code changes.`;
