import { configurationRoutes } from './api/console/routes/configuration-routes.js';
import { componentRoutes } from './api/console/routes/component-routes.js';
import { createConsoleApi } from './api/console/console-api.js';
import { connectionRoutes } from './api/console/routes/connection-routes.js';
import { createConnections } from './oauth/connections/read-connections.js';
import { contentRoutes } from './api/console/routes/content-routes.js';
import { editorRoutes } from './api/console/routes/editor-routes.js';
import { eventRoutes } from './api/console/routes/event-routes.js';
import { installationRoutes } from './api/console/routes/installation-routes.js';
import { liveRoutes } from './api/console/routes/live-routes.js';
import { listingRoutes } from './api/console/routes/listing-routes.js';
import { overviewRoutes } from './api/console/routes/overview-routes.js';
import { preferenceRoutes } from './api/console/routes/preference-routes.js';
import { stateRoutes } from './api/console/routes/state-routes.js';
import { callRoutes } from './api/console/routes/call-routes.js';
import { recordingRoutes } from './api/console/routes/recording-routes.js';
import { requestRoutes } from './api/console/routes/request-routes.js';
import { webhookRoutes } from './api/console/routes/webhook-routes.js';
import type { Addresses } from './http/addresses.js';
import type { ConsoleSurfaces } from './http/console-app.js';
import { createAssets } from './public/assets.js';
import { createContentEndpoint } from './public/content-endpoint.js';
import type { PlatformOptions } from './emulator.js';
import { createKeyCheck } from './http/check-host-and-origin.js';
import { errorResponse } from './http/http-error.js';
import { createUploads } from './http/limit-body.js';
import { createManagementApi } from './api/management/management-api.js';
import { readAuthorization } from './oauth/authorization-request.js';
import { createOAuthProvider } from './oauth/oauth-provider.js';
import { rerouteAuthorization } from './oauth/redirect-to-local-provider.js';
import { createReadOptions } from './calls/field-options.js';
import type { Services } from './services.js';
import type { PublicSurfaces } from './http/public-app.js';
import { createPublicEndpoint, respondToRawEnvelope } from './public/public-endpoint.js';

/** The handlers of the public port. */
export function createPublicHandlers(options: PlatformOptions, parts: Services): PublicSurfaces {
  const { addresses, token } = parts;
  const { oauthProvider = 'real', publicUrl } = options;
  const holdsKey = createKeyCheck(token);
  const uploads = createUploads(parts.timers, parts.limits.timeMs);
  return {
    publicEndpoint: createPublicEndpoint({
      ...parts,
      uploads,
      reroute(response, call) {
        if (oauthProvider !== 'local') return response;
        const rerouted = rerouteAuthorization(response, addresses.consoleOrigin);
        const message = rerouted === response ? undefined : whyRejected(rerouted, addresses);
        if (message !== undefined)
          parts.recorder.noticed(call, { code: 'authorization-rejected', severity: 'error', message });
        return rerouted;
      },
    }),
    content: createContentEndpoint(parts),
    assets: createAssets(parts),
    rawEnvelope: (request) =>
      publicUrl === undefined || holdsKey(request)
        ? respondToRawEnvelope({ ...parts, uploads }, request)
        : keyNeeded(),
    management: createManagementApi(parts),
  };
}

/**
 * Returns why the built-in provider would show an error page for this redirect, or undefined if it would accept the
 * redirect.
 */
function whyRejected(redirect: Response, addresses: Addresses): string | undefined {
  const { searchParams } = new URL(redirect.headers.get('location') ?? '');
  const read = readAuthorization(searchParams, addresses);
  return read.ok || read.to === 'client' ? undefined : read.message;
}

/** The handlers of the console port. A field's options come from the script's public endpoint. */
export function createConsoleHandlers(
  options: PlatformOptions,
  parts: Services,
  { publicEndpoint }: PublicSurfaces,
  closing: AbortSignal,
): ConsoleSurfaces {
  const { registry, addresses, secrets, scopes, token } = parts;
  const { oauth = 'ask', oauthProvider = 'real', publicUrl, platformVersion, runtime, editor } = options;
  const settings = {
    scopes,
    oauth,
    oauthProvider,
    platformVersion,
    ...(runtime !== undefined && { runtime }),
    ...(options.environment !== undefined && { environment: options.environment }),
    ...(publicUrl && { publicUrl }),
    ...(editor && { editor: { ...(editor.link !== undefined && { link: editor.link }) } }),
  };
  const connections = createConnections({
    ...parts,
    integration: registry.integration,
    builtIn: oauthProvider === 'local',
  });
  const readOptions = createReadOptions({ ...parts, publicEndpoint });
  const handlers = {
    ...overviewRoutes({ ...parts, settings, integrations: options.integrations }),
    ...editorRoutes({ editor: options.editor }),
    ...contentRoutes({ ...parts, folder: options.folder, siteLink: options.siteLink }),
    ...listingRoutes({ listing: options.listing }),
    ...installationRoutes(parts),
    ...configurationRoutes({ ...parts, readOptions }),
    ...eventRoutes({ ...parts, host: options.host }),
    ...componentRoutes(parts),
    ...connectionRoutes(connections),
    ...callRoutes(parts),
    ...recordingRoutes({ ...parts, ...options }),
    ...requestRoutes({ ...parts, publicEndpoint }),
    ...webhookRoutes(parts),
    ...stateRoutes(parts),
    ...preferenceRoutes(parts),
    ...liveRoutes({ ...parts, closing }),
  };
  return {
    oauth: createOAuthProvider({
      ...parts,
      mode: oauth,
      title: () => registry.integration().title,
      issued: secrets.add,
    }),
    consoleApi: createConsoleApi({
      handlers,
      holdsKey: createKeyCheck(token),
      key: token,
      siteReaders: parts.readers.connected,
      origin: addresses.consoleOrigin,
      secrets,
    }),
    files: options.console ?? (() => undefined),
  };
}

/**
 * Requires the key, because a tunnel may rewrite Host without adding headers, which makes an external envelope look like a
 * local one.
 */
const keyNeeded = (): Response =>
  errorResponse(
    401,
    "With --public-url, envelope requests must include this session's key in the X-Platform-Token header. The key is in the console URL.",
  );
