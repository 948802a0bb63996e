import { errorMessage } from '../../base/text/error-message.js';
import type { Clock } from '../../base/clock.js';
import { restartDelay } from './restart-delay.js';
import {
  createActiveProcess,
  retire,
  WAIT_UNTIL_MS,
  type ActiveProcess,
  type Lease,
} from './unfinished-calls.js';
import type { ScriptFolder, Script, ScriptFile } from './script-folder.js';
import type { ScriptProcess } from './script-process.js';
import { createStandbyProcess } from './standby-process.js';
import { withTimeout } from '../../base/with-timeout.js';

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
  /** The resident has answered a call: ending after that is no loop of crashes. */
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

const SPARE_AFTER_MS = 20;

export function createProcessSupervisor({
  clock,
  files,
  startProcess,
  say,
  patienceMs,
  inspect,
  standby,
}: Options): ProcessSupervisor {
  const closing = new AbortController();
  const alive = new Set<ScriptProcess>();
  const retiring = new Set<Promise<void>>();
  const spare = createStandbyProcess(() => {
    const process = startProcess();
    alive.add(process);
    void process.exited.then(() => alive.delete(process));
    return process;
  });

  let resident: ActiveProcess | undefined;
  let script: ScriptFile | undefined;
  /** Processes that are loading their script. */
  const arrivals = new Set<{ process: ScriptProcess; settled: Promise<void> }>();
  let refusal = 'No script has been loaded yet.';
  let crashes = 0;
  /** Counts what was asked for; whoever finds that it has moved on is out of date. */
  let turn = 0;

  const arrive = async (file: ScriptFile, wanted: () => boolean): Promise<'loaded' | 'superseded'> => {
    const process = spare.take();
    const task = enter(process, file, wanted);
    const arrival = { process, settled: task.then(ignore, ignore) };
    arrivals.add(arrival);
    try {
      return await task;
    } finally {
      arrivals.delete(arrival);
      clock.sleep(SPARE_AFTER_MS, closing.signal).then(() => {
        void process.warm();
        if (standby) spare.prepare();
      }, ignore);
    }
  };

  const enter = async (
    process: ScriptProcess,
    file: ScriptFile,
    wanted: () => boolean,
  ): Promise<'loaded' | 'superseded'> => {
    try {
      const loaded = await withTimeout(clock, patienceMs, process.load(file), 'late');
      if (loaded === 'late') throw new Error(tooLong(patienceMs));
    } catch (error) {
      process.kill();
      if (wanted()) throw error;
    }
    if (!wanted()) {
      process.kill();
      return 'superseded';
    }
    takeOver(process, file);
    return 'loaded';
  };

  const takeOver = (process: ScriptProcess, file: ScriptFile): void => {
    const former = resident;
    const successor = createActiveProcess(process);
    resident = successor;
    void process.exited.then((why) => {
      if (resident === successor) void recover(why);
    });
    if (script && script !== file) files.forget(script);
    script = file;
    if (inspect !== undefined) void passInspector(former?.process, process, inspect);
    if (former) {
      const retired = retire(former, { clock, patienceMs }).finally(() => retiring.delete(retired));
      retiring.add(retired);
    }
  };

  const recover = async (why: string): Promise<void> => {
    resident = undefined;
    crashes += 1;
    const mine = turn;
    const delay = restartDelay(crashes);
    const next = delay === 0 ? 'Starting it again.' : `Starting it again in ${delay / 1000} s.`;
    say(`The script's process ended unexpectedly: ${why}. ${next}`);
    if (delay > 0) {
      refusal = `The script's process ended ${crashes} times in a row (${why}). It is started again ${delay / 1000} s after the last time, or when its code changes.`;
      await clock.sleep(delay, closing.signal).catch(ignore);
    }
    if (mine === turn) await revive();
  };

  /** Brings back the script that answered last, unless a newer one comes first. */
  const revive = async (): Promise<void> => {
    const mine = turn;
    const missing = (): boolean => mine === turn && !resident;
    if (!script || !missing()) return;
    try {
      await arrive(script, missing);
    } catch (error) {
      await recover(errorMessage(error));
    }
  };

  const seat = async (): Promise<Lease | string> => {
    if (resident?.process.isLost()) {
      const { exited } = resident.process;
      // Its successor is on the way by then.
      return exited.then(seat);
    }
    if (resident || arrivals.size === 0) return resident?.lease() ?? refusal;
    await Promise.race(Array.from(arrivals, ({ settled }) => settled));
    return seat();
  };

  return {
    start: spare.prepare,
    async load(next) {
      closing.signal.throwIfAborted();
      turn += 1;
      const mine = turn;
      for (const { process } of arrivals) process.kill();
      const file = files.write(next);
      try {
        const outcome = await arrive(file, () => mine === turn);
        if (outcome === 'loaded') crashes = 0;
        else files.forget(file);
        return outcome;
      } catch (error) {
        files.forget(file);
        if (mine === turn) void revive();
        throw error;
      }
    },
    seat,
    pid: () => resident?.process.pid,
    components: () => resident?.process.components(),
    proven: () => (crashes = 0),
    async close() {
      turn += 1;
      closing.abort(new Error('The sandbox is closed.'));
      refusal = 'The platform is stopping.';
      const last = resident;
      resident = undefined;
      if (last) retiring.add(retire(last, { clock, patienceMs }));
      await withTimeout(clock, WAIT_UNTIL_MS, Promise.all(retiring), 'late');
      await Promise.all(Array.from(alive, (process) => process.end()));
    },
  };
}

const ignore = (): void => {};

const tooLong = (ms: number): string =>
  `The script took longer than ${ms / 1000} s to load. ${adviceOnLoading}`;

/** The debugger's port is free for the successor once the one before it has let go. */
async function passInspector(
  from: ScriptProcess | undefined,
  to: ScriptProcess,
  port: number,
): Promise<void> {
  await from?.closeInspector();
  to.openInspector(port);
}

/** For the author of a script whose loading does not come to an end. */
export const adviceOnLoading =
  'Look for a loop or an await that stands outside of all functions and does not end.';
