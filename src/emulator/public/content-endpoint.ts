import type { PlatformBase } from '../state/platform-base.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { EndpointCookies } from './endpoint-cookies.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import { errorResponse } from '../http/http-error.js';
import { takeCall } from '../http/raw-request-headers.js';
import { eventOfCall, newId } from '../state/new-id.js';
import { parseIntegrationAddress } from './public-address.js';
import type { ScriptCalls } from '../calls/script-calls.js';

/**
 * Serves what an integration publishes for a site or space:
 * `/content/integrations/:name/installations/:id/sites/:site/script.js` and `…/visitor-auth?location=…`. The platform does
 * not inject the content into pages.
 */
export function createContentEndpoint(
  deps: Pick<PlatformBase, 'registry' | 'addresses' | 'feed'> & {
    environments: Environments;
    calls: ScriptCalls;
    cookies: EndpointCookies;
  },
): (request: Request) => Promise<Response> {
  const { registry, environments, calls, addresses, cookies, feed } = deps;
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
    const from = takeCall(headers);
    cookies.keepOwn(headers);
    const seen = { url: `${addresses.public}${pathname}${search}`, method, headers };
    const location = searchParams.get('location');
    const event: PlatformEvent = {
      eventId: eventOfCall(id),
      type,
      installationId: address.target.installation ?? '',
      ...partsOf(address.target),
      ...(type === 'fetch_visitor_authentication' && location !== null && { location }),
      request: seen,
    };
    const response = await calls.call({
      id,
      from,
      source: 'request',
      event,
      environment,
      request: { ...seen, headers: Object.entries(headers) },
    });
    cookies.remember(response);
    if (type !== 'fetch_visitor_authentication' || response.status !== 400) return response;
    const body = await response.text();
    if (!body.includes('does not handle')) return new Response(body, response);
    const message = `A visitor tried to sign in, but the script does not handle ${type}.`;
    feed.emit({ type: 'warning', code: 'no-sign-in', message, call: id });
    return noSignIn();
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

/** Shown to the visitor instead of an empty response. */
const noSignIn = (): Response =>
  new Response(
    '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No sign-in</title>' +
      '<body style="max-width:36rem;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui;color-scheme:light dark">' +
      '<h1>No sign-in</h1><p>The manifest requests <code>site:visitor:auth</code>, but the script does not handle ' +
      '<code>fetch_visitor_authentication</code>. Add this function to <code>createIntegration()</code>, or remove the scope.',
    {
      status: 501,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      },
    },
  );

const nothing = (): Response => errorResponse(404, 'Nothing is published at this URL.');
