import type { PlatformEvent } from '../protocol/events.js';
import type { Addresses } from './addresses.js';
import type { Environments } from './environments.js';
import { errorResponse } from './http-error.js';
import { newId } from './ids.js';
import { limitBody } from './limit-body.js';
import { parsePublicAddress } from './public-address.js';
import type { Registry } from './registry.js';
import type { ScriptCalls } from './script-calls.js';

/** `ANY /v1/integrations/…`: the request is wrapped in a `fetch` event, and answered by the script. */
export function createPublicEndpoint(deps: {
  registry: Registry;
  environments: Environments;
  calls: ScriptCalls;
  addresses: Addresses;
  reroute: (response: Response) => Response;
}): (request: Request) => Promise<Response> {
  const { registry, environments, calls, addresses, reroute } = deps;

  return async (request) => {
    const { method } = request;
    const target = request.url.slice(request.url.indexOf('/', 8));
    const address = parsePublicAddress(target.split('?', 1)[0] ?? '');
    if (address?.name !== registry.integration().name) {
      return errorResponse(404, `There is no integration ${address?.name ?? ''} here.`);
    }
    const environment = environments.of(address.place);
    if (!environment) return errorResponse(404, 'The integration is not installed there.');
    if (environment.installation?.status === 'paused') {
      return errorResponse(503, 'The installation is paused.');
    }

    const body = await limitBody(request);
    if (body.tooLarge()) return errorResponse(413, 'The body is larger than 100 MiB.');
    const id = newId('call');
    const url = `${addresses.public}${target}`;
    const headers = Object.fromEntries(request.headers);
    const event: PlatformEvent = {
      eventId: id.replace('call', 'evt'),
      type: 'fetch',
      installationId: address.place.installation ?? '',
      request: { url, method, headers },
    };
    const response = await calls.call({
      id,
      source: 'request',
      event,
      environment,
      ...(body.content && { body: body.content }),
      request: { method, url, headers: Object.entries(headers) },
    });
    if (body.tooLarge()) return errorResponse(413, 'The body is larger than 100 MiB.');
    return reroute(response);
  };
}
