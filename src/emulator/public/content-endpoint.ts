import type { PlatformBase } from '../state/platform-base.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { EndpointCookies } from './endpoint-cookies.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import { errorResponse } from '../http/http-error.js';
import { newId } from '../state/new-id.js';
import { parseIntegrationAddress } from './public-address.js';
import type { ScriptCalls } from '../calls/script-calls.js';

/**
 * Serves what an integration publishes for a site or space:
 * `/content/integrations/:name/installations/:id/sites/:site/script.js` and `…/visitor-auth?location=…`. The platform does
 * not inject the content into pages.
 */
export function createContentEndpoint(
  deps: Pick<PlatformBase, 'registry' | 'addresses'> & {
    environments: Environments;
    calls: ScriptCalls;
    cookies: EndpointCookies;
  },
): (request: Request) => Promise<Response> {
  const { registry, environments, calls, addresses, cookies } = deps;
  return async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const address = parseIntegrationAddress(pathname, '/content/integrations/');
    const type = address && published[address.rest];
    if (!type || address.name !== registry.integration().name) return nothing();
    const { site, space } = address.target;
    const environment = environments.of(address.target);
    if (!environment || (!site && !space)) return nothing();
    if (environment.installation?.status === 'paused')
      return errorResponse(503, 'The installation is paused.');

    const id = newId('call');
    const { method } = request;
    const headers = Object.fromEntries(request.headers);
    cookies.keepOwn(headers);
    const seen = { url: `${addresses.public}${pathname}${search}`, method, headers };
    const location = searchParams.get('location');
    const event: PlatformEvent = {
      eventId: id.replace('call', 'evt'),
      type,
      installationId: address.target.installation ?? '',
      ...partsOf(address.target),
      ...(type === 'fetch_visitor_authentication' && location !== null && { location }),
      request: seen,
    };
    const response = await calls.call({
      id,
      source: 'request',
      event,
      environment,
      request: { ...seen, headers: Object.entries(headers) },
    });
    cookies.remember(response);
    return response;
  };
}

const published: Record<string, 'fetch_published_script' | 'fetch_visitor_authentication'> = {
  '/script.js': 'fetch_published_script',
  '/visitor-auth': 'fetch_visitor_authentication',
};

const partsOf = ({ site, space }: InstallTarget) => ({
  ...(site && { siteId: site }),
  ...(space && { spaceId: space }),
});

const nothing = (): Response => errorResponse(404, 'Nothing is published at this URL.');
