import { componentRoutes } from './console-api/component-routes.js';
import { createConsoleApi } from './console-api/console-api.js';
import { eventRoutes } from './console-api/event-routes.js';
import { installationRoutes } from './console-api/installation-routes.js';
import { liveRoute } from './console-api/live-route.js';
import { overviewRoutes } from './console-api/overview-routes.js';
import { preferenceRoutes } from './console-api/preference-routes.js';
import { stateRoutes } from './console-api/state-routes.js';
import { trafficRoutes } from './console-api/traffic-routes.js';
import { webhookRoutes } from './console-api/webhook-routes.js';
import type { ConsoleSurfaces } from './console-app.js';
import { createContentEndpoint } from './content-endpoint.js';
import type { EmulatorOptions } from './emulator.js';
import { createKeyCheck } from './key-check.js';
import { errorResponse } from './http-error.js';
import { createManagementApi } from './management/management-api.js';
import { createOAuthProvider } from './oauth-provider/oauth-provider.js';
import { rerouteAuthorization } from './oauth-provider/reroute.js';
import { createReadOptions } from './options.js';
import type { Parts } from './parts.js';
import type { PublicSurfaces } from './public-app.js';
import { createPublicEndpoint } from './public-endpoint.js';
import { answerRawEnvelope } from './raw-envelope.js';

/** What the parts look like from outside. */
export function createSurfaces(
  options: EmulatorOptions,
  parts: Parts,
  closing: AbortSignal,
): { public: PublicSurfaces; console: ConsoleSurfaces } {
  const { registry, addresses, secrets, calls, scopes } = parts;
  const { oauth = 'ask', oauthProvider = 'real', publicUrl, platformVersion, token } = options;
  const holdsKey = createKeyCheck(token);
  const publicEndpoint = createPublicEndpoint({
    ...parts,
    reroute: (response) =>
      oauthProvider === 'local' ? rerouteAuthorization(response, addresses.consoleOrigin) : response,
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
    ...preferenceRoutes(parts),
    liveRoute({ ...parts, closing }),
  ];
  return {
    public: {
      publicEndpoint,
      content: createContentEndpoint(parts),
      rawEnvelope: (request) =>
        publicUrl === undefined || holdsKey(request) ? answerRawEnvelope(calls, request) : keyNeeded(),
      management: createManagementApi(parts),
    },
    console: {
      oauth: createOAuthProvider({
        ...parts,
        mode: oauth,
        title: () => registry.integration().title,
        issued: secrets.add,
      }),
      consoleApi: createConsoleApi({ routes, holdsKey, origin: addresses.consoleOrigin, secrets }),
      files: options.console ?? (() => undefined),
    },
  };
}

/** A tunnel may rewrite Host and add nothing: then a stranger's envelope looks like a local one. */
const keyNeeded = (): Response =>
  errorResponse(
    401,
    "With --public-url, an envelope needs the key of this start in the header X-Platform-Token. It is in the console's link.",
  );
