import type { Emulator } from '../../emulator/index.js';
import type { ScriptHost } from '../../sandbox/index.js';

/** Something that runs the script for a check. */
export interface ProbeHost extends ScriptHost {
  /** Where the platform around it is. */
  origin: string;
  /** The platform that the script calls; before `load`. */
  attach(emulator: Emulator): void;
  /** Rejects with the script's own error. */
  load(code: string): Promise<void>;
  /** The host of each call that the script wanted to make so far. */
  blocked(): Promise<string[]>;
  close(): Promise<void>;
}

export type CreateProbeHost = () => Promise<ProbeHost>;
