import type { Diagnostic, Source } from '../diagnostics/diagnostic.js';
import type { EmulatorEvent } from '../emulator/live/emulator-event.js';

/** The events of a session, in order. */
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
      /** In the manifest. */
      warnings: Diagnostic[];
      /** In the sources: reported once their comments are read. */
      building: Diagnostic[];
      sources: ReadonlyMap<string, Source>;
      /** Absolute paths of everything that went into the script. */
      files: readonly string[];
    }
  /** What checking the sources of the last build found, after it was put in place. */
  | { type: 'checked'; by: 'apis' | 'types'; diagnostics: Diagnostic[]; sources: ReadonlyMap<string, Source> }
  | EmulatorEvent;
