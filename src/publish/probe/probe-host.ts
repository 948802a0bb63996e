import type { HeadlessEmulator } from '../../emulator/index.js';
import type { ScriptHost } from '../../sandbox/index.js';

export interface Script {
  code: string;
  /** Its source map, as JSON. */
  map: string;
}

/** Something that runs the script for a check. */
export interface ProbeHost extends ScriptHost {
  /** Where the platform around it is. */
  origin: string;
  /** The platform that the script calls; before `load`. */
  attach(emulator: HeadlessEmulator): void;
  /** Rejects with the script's own error, in places of the author's files. */
  load(script: Script): Promise<void>;
  /** The errors that the script logged so far, in places of the author's files. */
  errors(): readonly string[];
  /** The host of each call that the script wanted to make so far. */
  blocked(): Promise<string[]>;
  close(): Promise<void>;
}

export type CreateProbeHost = () => Promise<ProbeHost>;
