import type { Timers } from '../base/clock.js';
import type { Emulator } from '../emulator/index.js';
import type { Integration } from '../protocol/integration.js';

export interface SiteOptions {
  /** The folder of the built site: `index.cjs`, `app.js`, `app.css`. */
  folder: string;
  /** Such as `http://127.0.0.1:43117`. */
  origin: string;
  /** Who has it may press, rate and be counted. New at each start. */
  key: string;
  timers: Timers;
  /** The platform's time, for tokens that expire. */
  now(): number;
  platform: Pick<Emulator, 'content' | 'environment' | 'render' | 'readers' | 'subscribe'> & {
    integration(): Integration;
  };
}

export interface Site {
  fetch(request: Request): Promise<Response>;
  /** Ends the streams that pages keep open. */
  close(): void;
}

export type OpenSite = (options: SiteOptions) => Site;
