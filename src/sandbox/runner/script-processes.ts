import {
  createScriptFolder,
  type Script,
  type ScriptFile,
  type ScriptFolder,
} from '../process/script-folder.js';
import type { ScriptProcess, ScriptRuntime } from '../process/script-process.js';

interface Options {
  /** The folder in which the private folder of the processes is created. */
  folder: string;
  runtime: ScriptRuntime;
  /** The debugger's port. If it is set, calls have no time limit. */
  inspect?: number;
  /** False if a script is loaded once and never replaced: then no further process is started ahead. */
  standby?: boolean;
}

/**
 * Starts the processes of a script, and ends them. One can be started ahead of time, before it is known what its
 * script may do and who observes it, so that neither the start of the platform nor a reload waits for Node.
 */
export class ScriptProcesses {
  readonly inspect: number | undefined;
  readonly standby: boolean;
  readonly #runtime: ScriptRuntime;
  readonly #files: ScriptFolder;
  readonly #alive = new Set<ScriptProcess>();
  #ahead: ScriptProcess | undefined;

  constructor({ folder, runtime, inspect, standby = true }: Options) {
    this.inspect = inspect;
    this.standby = standby;
    this.#runtime = runtime;
    this.#files = createScriptFolder(folder, { maps: inspect !== undefined });
  }

  /** Starts a process ahead of time, unless there is one. */
  prepare(): void {
    if (this.#ahead) return;
    const started = this.#start();
    this.#ahead = started;
    // A process that is taken immediately still has to load its script.
    void started.ready.then(() => {
      if (this.#ahead === started) void started.warm();
    });
    void started.exited.then(() => {
      if (this.#ahead === started) this.#ahead = undefined;
    });
  }

  /** Returns the process that was started ahead, or one that starts now. */
  take(): ScriptProcess {
    const taken = this.#ahead ?? this.#start();
    this.#ahead = undefined;
    return taken;
  }

  write(script: Script): ScriptFile {
    return this.#files.write(script);
  }

  forget(script: ScriptFile): void {
    this.#files.forget(script);
  }

  /** Ends all processes, also those that were taken, and removes their folder. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#alive, (process) => process.end()));
    this.#files.remove();
  }

  #start(): ScriptProcess {
    const process = this.#runtime.start({
      folder: this.#files.path,
      debugged: this.inspect !== undefined,
    });
    this.#alive.add(process);
    void process.exited.then(() => this.#alive.delete(process));
    return process;
  }
}
