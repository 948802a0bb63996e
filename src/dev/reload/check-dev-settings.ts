import { join } from 'node:path';
import { devSettingsFileName, loadDevSettings, type DevSettings } from '../../manifest/index.js';
import type { SessionEvent } from '../session-event.js';

/** Settings are read at the start alone: whoever changes them later is told so, once a change. */
export function createSettingsCheck(
  folder: string,
  first: DevSettings,
  tell: (event: SessionEvent) => void,
): () => void {
  let known = JSON.stringify(first);
  return () => {
    const { diagnostics, source, ...loaded } = loadDevSettings(folder);
    const now = JSON.stringify(loaded.ok ? loaded.value : diagnostics);
    if (now === known) return;
    known = now;
    if (loaded.ok) {
      const message = `${devSettingsFileName} has changed. Start platform dev again to use it.`;
      tell({ type: 'warning', code: 'settings', message });
    } else {
      const sources = new Map([[join(folder, devSettingsFileName), source]]);
      tell({ type: 'broken', what: 'manifest', diagnostics, sources });
    }
  };
}
