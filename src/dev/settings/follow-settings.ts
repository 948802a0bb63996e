import { join } from 'node:path';
import { devSettingsFileName, loadDevSettings, type DevSettings } from '../../manifest/index.js';
import type { FileChanges } from '../reload/file-changes.js';
import type { SessionEvent } from '../events/session-event.js';

/** Reads the settings at startup. They must be valid at that point, because they determine which installations exist. */
export async function firstSettings(
  folder: string,
  waiting: FileChanges | undefined,
  tell: (event: SessionEvent) => void,
): Promise<DevSettings | undefined> {
  const file = join(folder, devSettingsFileName);
  for (;;) {
    const { diagnostics, source, ...loaded } = loadDevSettings(folder);
    if (loaded.ok) return loaded.value;
    tell({ type: 'broken', what: 'manifest', diagnostics, sources: new Map([[file, source]]) });
    if (!waiting) return undefined;
    waiting.watch([file]);
    await waiting.next();
  }
}

/** Only `outbound` is reloaded after startup. Other changes are reported once. */
export function createSettingsCheck(
  folder: string,
  first: DevSettings,
  tell: (event: SessionEvent) => void,
  changeOutbound: (settings: DevSettings) => void,
): () => void {
  let known = JSON.stringify(first);
  let outbound = JSON.stringify(first.outbound);
  let others = JSON.stringify({ ...first, outbound: undefined });
  return () => {
    const { diagnostics, source, ...loaded } = loadDevSettings(folder);
    const now = JSON.stringify(loaded.ok ? loaded.value : diagnostics);
    if (now === known) return;
    known = now;
    if (loaded.ok) {
      const map = JSON.stringify(loaded.value.outbound);
      if (map !== outbound) changeOutbound(loaded.value);
      outbound = map;
      const rest = JSON.stringify({ ...loaded.value, outbound: undefined });
      if (rest === others) return;
      others = rest;
      const message = `${devSettingsFileName} has changed. Start platform dev again to use it.`;
      tell({ type: 'warning', code: 'settings', message });
    } else {
      const sources = new Map([[join(folder, devSettingsFileName), source]]);
      tell({ type: 'broken', what: 'manifest', diagnostics, sources });
    }
  };
}
