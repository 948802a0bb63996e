import { dirname, join } from 'node:path';
import { devSettingsFileName, type DevSettings } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import type { Closing } from './closing.js';
import type { Builder } from './reload/builder.js';
import type { FileChanges } from './reload/file-changes.js';
import { createReloader } from './reload/reloader.js';
import type { ScriptRunner } from '../sandbox/index.js';
import type { SessionEvent } from './events/session-event.js';
import { outboundRules, type Origins, type SessionOptions } from './session-options.js';
import { warnOfOutbound } from './warn-at-start.js';
import { createSettingsCheck } from './settings/follow-settings.js';

interface Following {
  options: SessionOptions;
  early: { builder: Builder; began: number; closing: Closing };
  settings: DevSettings;
  origins: Origins;
  watcher: FileChanges;
  runner: ScriptRunner;
  tell(event: SessionEvent): void;
}

/** Builds now, and again whenever a file changes. Returns a function that rebuilds on demand. */
export async function followChanges(
  { options, early, settings, origins, watcher, runner, tell }: Following,
  accept: (integration: Integration, build: string) => void,
): Promise<() => Promise<void>> {
  const { builder, began, closing } = early;
  const folder = dirname(options.manifestFile);
  const reloader = createReloader({
    options,
    builder,
    runner,
    clock: options.clock,
    began,
    tell,
    changes: {
      watch: (files) => watcher.watch([...files, join(folder, devSettingsFileName)]),
      count: watcher.count,
    },
    accept,
  });
  closing.add(reloader.close);
  const warn = (error: unknown): void => tell({ type: 'warning', code: 'bug', message: String(error) });
  const checkSettings = createSettingsCheck(folder, settings, tell, (changed) => {
    runner.changeOutbound(outboundRules(options, changed, origins));
    warnOfOutbound(changed, tell);
    reloader.rebuild().catch(warn);
  });
  watcher.follow(() => {
    reloader.reload().catch(warn);
    // Deferred until the build is running.
    setImmediate(checkSettings);
  });
  await reloader.reload();
  await reloader.placed();
  return reloader.rebuild;
}
