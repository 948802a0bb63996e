import type { Surfaces } from './app.js';
import { componentRoutes } from './console-api/component-routes.js';
import { createConsoleApi } from './console-api/console-api.js';
import { eventRoutes } from './console-api/event-routes.js';
import { installationRoutes } from './console-api/installation-routes.js';
import { liveRoute } from './console-api/live-route.js';
import { overviewRoutes } from './console-api/overview-routes.js';
import { stateRoutes } from './console-api/state-routes.js';
import { trafficRoutes } from './console-api/traffic-routes.js';
import { webhookRoutes } from './console-api/webhook-routes.js';
import { createContentEndpoint } from './content-endpoint.js';
import type { EmulatorOptions } from './emulator.js';
import { createManagementApi } from './management/management-api.js';
import { createOAuthProvider } from './oauth-provider/oauth-provider.js';
import { rerouteAuthorization } from './oauth-provider/reroute.js';
import { createReadOptions } from './options.js';
import type { Parts } from './parts.js';
import { createPublicEndpoint } from './public-endpoint.js';
import { answerRawEnvelope } from './raw-envelope.js';

/** What the parts look like from outside. */
export function createSurfaces(options: EmulatorOptions, parts: Parts, closing: AbortSignal): Surfaces {
  const { registry, addresses, secrets, calls, scopes } = parts;
  const { oauth = 'ask', oauthProvider = 'real', publicUrl, platformVersion, token, origin } = options;
  const publicEndpoint = createPublicEndpoint({
    ...parts,
    reroute: (response) =>
      oauthProvider === 'local' ? rerouteAuthorization(response, addresses.local) : response,
  });
  const settings = { scopes, oauth, oauthProvider, platformVersion, ...(publicUrl && { publicUrl }) };
  const readOptions = createReadOptions({ ...parts, publicEndpoint });
  const routes = [
    ...overviewRoutes({ ...parts, settings, listing: options.listing }),
    ...installationRoutes({ ...parts, readOptions }),
    ...eventRoutes(parts),
    ...componentRoutes(parts),
    ...trafficRoutes(parts),
    ...webhookRoutes(parts),
    ...stateRoutes(parts),
    liveRoute({ ...parts, closing }),
  ];
  return {
    publicEndpoint,
    content: createContentEndpoint(parts),
    rawEnvelope: (request) => answerRawEnvelope(calls, request),
    management: createManagementApi(parts),
    oauth: createOAuthProvider({
      ...parts,
      mode: oauth,
      title: () => registry.integration().title,
      issued: secrets.add,
    }),
    consoleApi: createConsoleApi({ routes, token, origin, secrets }),
    console: options.console ?? (() => undefined),
  };
}
