import type { Timers } from '../base/clock.js';
import type { Emulator } from '../emulator/index.js';
import type { Integration } from '../protocol/integration.js';

export interface SiteOptions {
  /** The folder that contains the built site: `index.cjs`, `app.js` and `app.css`. */
  folder: string;
  /** The site's origin, such as `http://127.0.0.1:43117`. */
  origin: string;
  /**
   * With this key, readers can click buttons and rate pages, and count as visitors. The key changes each time the platform
   * starts.
   */
  key: string;
  /** Whether the pages are written to files, where nothing can be rendered again. */
  isStatic?: boolean;
  timers: Timers;
  /** The platform's clock, which determines whether tokens have expired. */
  now(): number;
  platform: Pick<Emulator, 'content' | 'environment' | 'render' | 'readers' | 'subscribe'> & {
    integration(): Integration;
  };
}

export interface Site {
  fetch(request: Request): Promise<Response>;
  /** Ends the streams of open pages. */
  close(): void;
}

export type OpenSite = (options: SiteOptions) => Site;
