import type { Timers } from '../../base/clock.js';
import type { Emulator } from '../../emulator/index.js';
import type { ScriptHost } from '../../sandbox/index.js';

export interface Script {
  code: string;
  /** The source map, as JSON. */
  map: string;
}

/** Runs the script for a check. */
export interface ProbeHost extends ScriptHost {
  /** Real time, because the clock of the check's platform is virtual. */
  timers: Timers;
  /** The URL of the platform that the script calls. */
  origin: string;
  /** Forwards requests for `origin` to the platform. Until this is called, requests receive a 503 response. */
  serve(platform: Pick<Emulator, 'fetch'>): void;
  /** Rejects with the script's own error, with positions in the author's files. */
  load(script: Script): Promise<void>;
  /** Returns the errors that the script has logged so far, with positions in the author's files. */
  errors(): readonly string[];
  /** Returns the hosts of all outbound requests that the script has tried to send so far. */
  blocked(): Promise<string[]>;
  close(): Promise<void>;
}

/** `mask` masks the secrets in what the script logs. */
export type CreateProbeHost = (mask: (text: string) => string) => Promise<ProbeHost>;
