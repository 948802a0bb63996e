import type { Timers } from '../base/clock.js';
import type { RenderResult } from '../contract/routes/components.js';
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
  platform: SitePlatform;
}

/** One integration of the session, and what is shown of it on the site. */
export interface SiteMember extends Pick<Emulator, 'environment' | 'render' | 'readers'> {
  integration(): Integration;
}

export interface SitePlatform extends Pick<Emulator, 'content' | 'subscribe'> {
  /** The `target` of a space is that of one member. Each member's own readers know its target. */
  readers: Omit<Emulator['readers'], 'signInUrl' | 'connected'>;
  /** Blocks of all members can be on a page. */
  members(): readonly SiteMember[];
}

export interface Site {
  fetch(request: Request): Promise<Response>;
  /** Ends the streams of open pages. */
  close(): void;
}

export type OpenSite = (options: SiteOptions) => Site;

/** A block to draw on a page of its own. */
export interface Preview {
  component: string;
  title: string;
  first: RenderResult;
  /** The base for relative URLs. */
  base: string;
  styles: string;
}

export type DrawPreview = (preview: Preview) => string;
