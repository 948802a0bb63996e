import type { Diagnostic, Source } from '../../diagnostics/model/diagnostic.js';
import type { EmulatorEvent } from '../../emulator/live/emulator-event.js';

/** The events in a session, in the order in which they occur. */
export type SessionEvent =
  | {
      type: 'broken';
      what: 'manifest' | 'build';
      diagnostics: Diagnostic[];
      sources: ReadonlyMap<string, Source>;
    }
  | { type: 'broken-script'; message: string }
  | {
      type: 'built';
      durationMs: number;
      /** Problems in the manifest. */
      warnings: Diagnostic[];
      /** Problems in the sources. Reported once the ignore comments have been read. */
      building: Diagnostic[];
      sources: ReadonlyMap<string, Source>;
      /** The absolute paths of all files that are part of the script. */
      files: readonly string[];
    }
  /** The results of a check of the sources, after a build has gone live, or of pages that have changed. */
  | {
      type: 'checked';
      by: 'apis' | 'types' | 'content';
      diagnostics: Diagnostic[];
      sources: ReadonlyMap<string, Source>;
    }
  | EmulatorEvent;

/** Whether a build failed to go live. If so, the session starts only if it may wait for a fix. */
export const isBroken = (event: SessionEvent): boolean =>
  event.type === 'broken' ||
  event.type === 'broken-script' ||
  (event.type === 'warning' && event.code === 'not-placed');
