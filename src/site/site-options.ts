import type { Timers } from '../base/clock.js';
import type { Emulator } from '../emulator/index.js';
import type { Integration } from '../protocol/integration.js';

export interface SiteOptions {
  /** The folder with the built site: `index.cjs`, `app.js`, `app.css`. */
  folder: string;
  /** For example `http://127.0.0.1:43117`. */
  origin: string;
  /** Allows a reader to press buttons, rate pages and be counted. New on each start. */
  key: string;
  timers: Timers;
  /** The platform's clock, which decides whether tokens have expired. */
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
