import {
  createScriptFolder,
  type Script,
  type ScriptFile,
  type ScriptFolder,
} from '../process/script-folder.js';
import type { ScriptProcess, ScriptRuntime } from '../process/script-process.js';

interface Options {
  /** The folder in which the processes' private folder is created. */
  folder: string;
  runtime: ScriptRuntime;
  /** The debugger's port. If set, calls have no time limit. */
  inspect?: number;
  /** If false, a single script is loaded and never replaced, so no standby process is needed. */
  standby?: boolean;
}

/**
 * Starts and ends a script's processes. A process can be started before the rules and observer of its script are
 * known, so neither startup nor a reload has to wait for Node.
 */
export class ProcessPool {
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

  /** Starts a standby process, unless there already is one. */
  prepare(): void {
    if (this.#ahead) return;
    const started = this.#start();
    this.#ahead = started;
    // A process that is already in use is not warmed up, because it must load its script first.
    void started.ready.then(() => {
      if (this.#ahead === started) void started.warm();
    });
    void started.exited.then(() => {
      if (this.#ahead === started) this.#ahead = undefined;
    });
  }

  /** Returns the standby process, or starts a new one. */
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

  /** Ends all processes, including those in use, and removes their private folder. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#alive, (process) => process.end()));
    this.#files.remove();
  }

  #start(): ScriptProcess {
    const process = this.#runtime.start({ folder: this.#files.path, debugged: this.inspect !== undefined });
    this.#alive.add(process);
    void process.exited.then(() => this.#alive.delete(process));
    return process;
  }
}
