import type { Clock } from '../base/clock.js';
import type { Emulator } from '../emulator/index.js';
import type { BuildReport } from '../protocol/build-report.js';
import { createSourceCheck } from './check-sources.js';
import type { Builder } from './reload/builder.js';
import { reportBuild } from './events/build-report.js';
import { isBroken, type SessionEvent } from './events/session-event.js';

interface Options {
  folder: string;
  clock: Clock;
  builder: Builder;
  toTerminal(event: SessionEvent): void;
}

/**
 * Reports each event in the console and the terminal, but does not report the same problems twice. Starts checking
 * the sources of each build.
 */
export function createEventTeller({ folder, clock, builder, toTerminal }: Options) {
  let broken = false;
  let platform: Pick<Emulator, 'reportBuild'> | undefined;
  let lastReport: BuildReport | undefined;
  const lastChecked = { apis: '[]', types: '[]' };

  const tell = (event: SessionEvent): void => {
    broken ||= isBroken(event);
    const report = reportBuild(event, folder, clock.now(), lastReport);
    if (report) platform?.reportBuild(report);
    lastReport = report ?? lastReport;
    if (event.type === 'built' && !builder.keepsNodeModules()) sourceCheck.begin(event.files, event.building);
    if (event.type === 'checked' && event.by !== 'content') {
      const checked = JSON.stringify(event.diagnostics);
      if (checked === lastChecked[event.by]) return;
      lastChecked[event.by] = checked;
    }
    toTerminal(event);
  };
  const sourceCheck = createSourceCheck(folder, (diagnostics) =>
    tell({ type: 'checked', by: 'apis', diagnostics, sources: new Map() }),
  );

  return {
    tell,
    /** From now on, also sends build reports to the platform's console. */
    showIn: (opened: Pick<Emulator, 'reportBuild'>) => void (platform = opened),
    /** Whether any problem has occurred since the start. */
    hasBroken: () => broken,
    close: sourceCheck.close,
  };
}
