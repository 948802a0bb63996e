import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OpenSite, Site, SiteOptions } from '../site/site-options.js';

/**
 * The site's server part renders pages with Preact, which no command needs at startup. The first request
 * loads it from its own bundle.
 */
export function createSiteLoader(options: SiteOptions): Site {
  let site: Site | undefined;
  const load = (): Site => {
    const { openSite } = createRequire(import.meta.url)(join(options.folder, 'index.cjs')) as {
      openSite: OpenSite;
    };
    return openSite(options);
  };
  return {
    fetch: (request) => (site ??= load()).fetch(request),
    close: () => site?.close(),
  };
}
