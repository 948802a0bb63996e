import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OpenSite, Site, SiteOptions } from '../site/site-options.js';

/**
 * The site's server uses Preact to render pages. No command needs Preact at startup, so the server is in a separate
 * bundle that the first request loads.
 */
export function createSiteLoader(options: SiteOptions): Site {
  let site: Site | undefined;
  const load = (): Site => {
    const { openSite } = createRequire(import.meta.url)(join(options.folder, 'index.cjs')) as {
      openSite: OpenSite;
    };
    return openSite(options);
  };
  return { fetch: (request) => (site ??= load()).fetch(request), close: () => site?.close() };
}
