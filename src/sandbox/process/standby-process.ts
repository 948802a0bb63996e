import type { ScriptProcess } from './script-process.js';

/** Starts a process ahead of time, so that a reload does not wait for its start. */
export interface StandbyProcess {
  prepare(): void;
  /** Returns the standby process, or one that starts now. */
  take(): ScriptProcess;
}

export function createStandbyProcess(start: () => ScriptProcess): StandbyProcess {
  let spare: ScriptProcess | undefined;
  return {
    prepare() {
      if (spare) return;
      const started = start();
      spare = started;
      // A standby that is taken immediately still has to load its script.
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
