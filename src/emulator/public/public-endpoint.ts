import type { PlatformBase } from '../state/platform-base.js';
import type { Environment, Installation } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { EndpointCookies } from './endpoint-cookies.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import { errorResponse } from '../http/http-error.js';
import { eventOfCall, newId } from '../state/new-id.js';
import type { Uploads } from '../http/limit-body.js';
import { dropBody } from '../http/send-response.js';
import { redirectBrowser } from '../http/redirect-browser.js';
import { peekOAuthState } from '../../protocol/oauth/oauth-state.js';
import { parseIntegrationAddress } from './public-address.js';
import { readHeaders, takeCall, type RawHeaders } from '../http/raw-request-headers.js';
import type { CallInput, ScriptCalls } from '../calls/script-calls.js';
import { largestEnvelope } from '../../protocol/envelope/envelope-limits.js';

/** Handles `ANY /v1/integrations/…`. Wraps the request in a `fetch` event for the script. */
export function createPublicEndpoint(
  deps: Pick<PlatformBase, 'registry' | 'addresses' | 'feed'> & {
    environments: Environments;
    calls: ScriptCalls;
    cookies: EndpointCookies;
    uploads: Uploads;
    /** Finds problems in redirects to OAuth providers. */
    judge: CallInput['judge'];
    /** Returns the replacement for a URL that the script redirects a browser to, if there is one. */
    redirect(location: URL): URL | undefined;
  },
): (request: Request, rawHeaders?: RawHeaders, call?: string) => Promise<Response> {
  const { registry, environments, calls, addresses, cookies, uploads, judge, redirect } = deps;
  const atIntegration = createIntegrationAddress(deps);

  return async (request, rawHeaders, id = newId('call')) => {
    const { method } = request;
    const target = request.url.slice(request.url.indexOf('/', 8));
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? '' : target.slice(mark);
    const address = parseIntegrationAddress(path, '/v1/integrations/');
    if (address?.name !== registry.integration().name) {
      return errorResponse(404, `Unknown integration: ${address?.name ?? ''}.`);
    }
    const { environment, base } =
      address.target.installation === undefined
        ? atIntegration(query)
        : { environment: environments.of(address.target) };
    if (!environment) return errorResponse(404, 'The integration is not installed at this URL.');
    if (environment.installation?.status === 'paused') {
      return errorResponse(503, 'The installation is paused.');
    }

    const body = await uploads.limit(request);
    if (body.tooLarge()) return errorResponse(413, 'The body is larger than 100 MiB.');
    const url = `${addresses.public}${target}`;
    const headers = readHeaders(request, rawHeaders);
    const from = takeCall(headers);
    cookies.keepOwn(headers);
    const event: PlatformEvent = {
      eventId: eventOfCall(id),
      type: 'fetch',
      installationId: environment.installation?.id ?? '',
      request: { url: base === undefined ? url : base + address.rest + query, method, headers },
    };
    const response = await calls.call({
      id,
      from,
      source: 'request',
      event,
      environment,
      ...(body.content && { body: body.content }),
      request: { method, url, headers: Object.entries(headers) },
      ...(judge && { judge }),
    });
    if (body.tooLarge()) {
      dropBody(response);
      return errorResponse(413, 'The body is larger than 100 MiB.');
    }
    cookies.remember(response);
    return redirectBrowser(response, redirect);
  };
}

/** Maps the integration's own URL to an installation and to the URL that the script sees. */
function createIntegrationAddress(
  deps: Pick<PlatformBase, 'registry' | 'feed'> & { environments: Environments },
): (query: string) => { environment: Environment | undefined; base?: string } {
  const { registry, environments, feed } = deps;
  const moved = new WeakMap<Environment, Environment>();
  let warned = false;

  /**
   * Returns the environment with the integration's own URL as the installation's URL, because scripts may route requests by
   * either URL.
   */
  const move = (environment: Environment, installation: Installation): Environment => {
    let known = moved.get(environment);
    if (!known) {
      const { publicEndpoint } = environment.integration.urls;
      const urls = { ...installation.urls, publicEndpoint };
      known = { ...environment, installation: { ...installation, urls } };
      moved.set(environment, known);
    }
    return known;
  };

  return (query) => {
    const target = targetInState(query);
    const named = target.installation === undefined ? undefined : environments.of(target);
    const { siteInstallation, spaceInstallation } = named ?? {};
    const part = siteInstallation ?? spaceInstallation;
    if (part) return { environment: named, base: part.urls.publicEndpoint };

    const [only, ...others] = registry.installations.all();
    const alone = only && others.length === 0 ? environments.of({ installation: only.id }) : undefined;
    const environment = named ?? alone ?? environments.of({});
    const { installation } = environment ?? {};
    if (!environment || !installation) return { environment };
    if (!named && !warned) {
      warned = true;
      feed.emit({
        type: 'warning',
        code: 'integration-address',
        message: `A request to the integration's own URL was assigned to ${installation.id}, the only installation. If there were several installations, it would not be assigned to any of them. Send requests to installation.urls.publicEndpoint instead.`,
      });
    }
    return { environment: move(environment, installation) };
  };
}

/**
 * Returns the target in the `state` of an OAuth callback, which may arrive at the integration's own URL. The script verifies
 * the `state` itself.
 */
function targetInState(query: string): InstallTarget {
  const sealed = query.includes('state=') ? new URLSearchParams(query).get('state') : null;
  const path = sealed === null ? '' : peekOAuthState(sealed).path;
  return parseIntegrationAddress(path, 'integrations/')?.target ?? {};
}

/** Handles `ANY /v<digits>`, which accepts hand-written envelopes. The script decides how to handle the content. */
export const createRawEndpoint =
  ({ calls, cookies, uploads }: { calls: ScriptCalls; cookies: EndpointCookies; uploads: Uploads }) =>
  async (request: Request): Promise<Response> => {
    const body = await uploads.limit(request, largestEnvelope);
    if (body.tooLarge()) return errorResponse(413, 'The envelope is larger than 103 MiB.');
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    takeCall(headers);
    cookies.keepOwn(headers);
    const sent = { method, url, headers: new Headers(headers) };
    const response = await calls.raw(newId('call'), sent, body.content);
    if (!body.tooLarge()) return response;
    dropBody(response);
    return errorResponse(413, 'The envelope is larger than 103 MiB.');
  };
