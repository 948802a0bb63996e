import type { ScriptProcess } from './script-process.js';

/** A process that has started ahead of need, so that a reload does not wait for one. */
export interface StandbyProcess {
  prepare(): void;
  /** The spare, or a process that starts now. */
  take(): ScriptProcess;
}

export function createStandbyProcess(start: () => ScriptProcess): StandbyProcess {
  let spare: ScriptProcess | undefined;
  return {
    prepare() {
      if (spare) return;
      const started = start();
      spare = started;
      // One that is taken at once has a script to load first.
      void started.ready.then(() => {
        if (spare === started) void started.warm();
      });
      void started.exited.then(() => {
        if (spare === started) spare = undefined;
      });
    },
    take() {
      const taken = spare ?? start();
      spare = undefined;
      return taken;
    },
  };
}
