import { createBackground } from '../base/background-work.js';
import { errorMessage } from '../base/text/error-message.js';
import { createConsoleApi } from './console/console-api.js';
import { callRoutes } from './calls/call-routes.js';
import { configurationRoutes } from './installations/configuration-routes.js';
import { contentRoutes } from './spaces/content-routes.js';
import { editorRoutes } from './console/editor-routes.js';
import { eventRoutes } from './events/event-routes.js';
import { installationRoutes } from './installations/installation-routes.js';
import { liveRoutes, newStart } from './console/live-routes.js';
import { createLastBuild, overviewRoutes } from './console/overview-routes.js';
import { recordingRoutes } from './calls/recording-routes.js';
import { requestRoutes } from './calls/request-routes.js';
import { stateRoutes } from './time/state-routes.js';
import { webhookRoutes } from './webhooks/webhook-routes.js';
import { createManagementApi } from './management/management-api.js';
import { createFailures } from './calls/call-failure.js';
import { createContentEvents } from './spaces/content-events.js';
import { createConfigure } from './installations/edit-configuration.js';
import { createEventSender } from './calls/event-sender.js';
import { createReadOptions } from './installations/field-options.js';
import { createInstallations } from './installations/installations.js';
import { createClockMoves } from './time/move-clock.js';
import { createReaders } from './spaces/readers.js';
import { componentRoutes, createRender } from './blocks/render-component.js';
import { createReplay } from './calls/replay.js';
import { createTasks } from './time/scheduled-tasks.js';
import { createScriptCalls } from './calls/script-calls.js';
import { createStorms } from './calls/storms.js';
import { createSignatures, isRefusal } from './calls/signatures.js';
import { createTrigger } from './events/trigger.js';
import { createWebhooks } from './webhooks/webhooks.js';
import type { Content } from '../content/index.js';
import type { Input } from '../contract/console-api.js';
import type { Emulator, PlatformOptions } from './emulator.js';
import { createAddresses } from './http/addresses.js';
import { createHostCheck, createKeyCheck } from './http/check-host-and-origin.js';
import { createConsoleApp, type ConsoleSurfaces } from './http/console-app.js';
import { errorResponse } from './http/http-error.js';
import { createUploads } from './http/limit-body.js';
import { createPublicApp, type PublicSurfaces } from './http/public-app.js';
import { createConnections } from './oauth/connections/read-connections.js';
import { createOAuthProvider } from './oauth/oauth-provider.js';
import { createLocalProvider } from './oauth/redirect-to-local-provider.js';
import type { Records } from './open-records.js';
import { createAssets } from './public/assets.js';
import { createContentEndpoint } from './public/content-endpoint.js';
import { createEndpointCookies } from './public/endpoint-cookies.js';
import { createPublicEndpoint, createRawEndpoint } from './public/public-endpoint.js';
import { adoptBuild } from './state/adopt-build.js';
import { createBlocks } from './blocks/inserted-blocks.js';
import { createCollection } from './state/installation-records.js';
import { createPreferences } from './console/preferences.js';
import { createEnvironments } from './state/script-environments.js';
import { createSnapshots } from './time/snapshots.js';
import { createSpaces } from './spaces/spaces.js';
import { createTokens } from './state/tokens.js';
import { webhookFetch } from './webhook-fetch.js';

/**
 * The only function that assembles the platform. Each part receives the parts that were created before it:
 *
 * ports -> store -> openRecords() -> the script's host -> openPlatform() -> ports.serve(platform)
 *
 * 1. A port already has an address before it can serve anything. Until it can, it responds with 503.
 * 2. The records contain installations, secrets and calls. Their `observer` receives the script's reports, so they are opened
 * before the script is started.
 * 3. The host runs the script. If it has no script, calls receive a response that explains why.
 * 4. The platform calls the host. It reads and changes only the records that it is given.
 *
 * `platform dev`, `publish-check` and tests differ only in their arguments.
 */
export function openPlatform(records: Records, options: PlatformOptions): Emulator {
  const { store, clock, limits, token, feed, registry, secrets, recorder } = records;
  const { host, timers, movable, origin, consoleOrigin, publicUrl, editor } = options;
  const { scopes = 'warn', oauth = 'ask', oauthProvider = 'real', runtime, platformVersion } = options;
  const { random = Math.random, fetch = webhookFetch, noInstall = false, storms = createStorms() } = options;
  const { state, callLog } = store;
  const reportError = (error: unknown): void =>
    feed.emit({ type: 'warning', code: 'bug', message: errorMessage(error) });
  const background = createBackground(reportError);
  const addresses = createAddresses(options);
  const closing = new AbortController();
  const streamSecret = newStart();
  if (options.build !== undefined)
    adoptBuild({ registry, clock, callLog }, registry.integration(), options.build);

  const environments = createEnvironments(registry, addresses);
  const failures = createFailures(callLog);
  const calls = createScriptCalls({
    host,
    recorder,
    timers,
    clock,
    storms,
    defaultedIn: environments.defaultedIn,
  });
  const webhooks = createWebhooks({
    store: store.deliveries,
    clock,
    timers,
    random,
    fetch,
    version: platformVersion,
    ahead: () => movable?.ahead() ?? 0,
    registry,
    feed,
    secrets,
    background,
  });
  const events = createEventSender({
    registry,
    feed,
    scopes,
    timers,
    limits,
    clock,
    environments,
    calls,
    recorder,
    forward: webhooks.forward,
  });
  const signatures = createSignatures({ callLog, registry, environments, webhooks, clock });
  feed.subscribe((event) => {
    if (event.type === 'call-finished' && isRefusal(event.call.response?.status ?? 0))
      background.run(signatures.report(event.call, recorder));
  });
  const replay = createReplay({ callLog, environments, calls, secrets, timers, limits });
  const installations = createInstallations({ registry, feed, clock, events });
  const configure = createConfigure({ registry, feed, background, events });
  const tasks = createTasks({ registry, state, clock, feed, background, environments, events, recorder });
  const tokens = createTokens({ registry, state, clock, secrets });
  const snapshots = createSnapshots({ state, registry, clock, feed });
  const clockMoves = createClockMoves({
    clock,
    movable,
    timers,
    registry,
    host,
    background,
    tasks,
    tokens,
    webhooks,
    feed,
  });
  const blocks = createBlocks({ state, registry, feed });
  const render = createRender({ registry, feed, timers, host, events, blocks, environments, failures });
  const contents = mountContents(records, options);
  const spaces = createSpaces({ registry, addresses, state, feed, clock, contents });
  const contentEvents = createContentEvents({ registry, feed, background, events, spaces, contents });
  const trigger = createTrigger({ addresses, registry, events, spaces });
  const readers = createReaders({ registry, addresses, events });
  const preferences = createPreferences(state);
  const builds = createLastBuild(feed);

  const cookies = createEndpointCookies(state);
  const uploads = createUploads(timers, limits.timeMs);
  const holdsKey = createKeyCheck(token);
  const provider = oauthProvider === 'local' ? createLocalProvider(addresses) : undefined;
  const publicEndpoint = createPublicEndpoint({
    registry,
    addresses,
    feed,
    environments,
    calls,
    cookies,
    uploads,
    judge: provider?.judge,
    redirect: (location) => provider?.redirect(location) ?? options.doubleOf?.(location),
  });
  const rawEndpoint = createRawEndpoint({ calls, cookies, uploads });
  const surfaces: PublicSurfaces = {
    publicEndpoint,
    content: createContentEndpoint({ registry, addresses, feed, environments, calls, cookies }),
    assets: createAssets({ registry, addresses }),
    rawEnvelope: (request) =>
      publicUrl === undefined || holdsKey(request) ? rawEndpoint(request) : keyNeeded(),
    management: createManagementApi({
      registry,
      addresses,
      feed,
      scopes,
      configure,
      spaces,
      contents,
      contentEvents,
      tasks,
      tokens,
      recorder,
    }),
  };

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
  const readOptions = createReadOptions({ registry, addresses, timers, limits, publicEndpoint });
  const { integrations, folder, siteLink, listing, record, replayFailures } = options;
  const handlers = {
    ...overviewRoutes({ registry, addresses, spaces, settings, builds, token, integrations, listing }),
    ...editorRoutes(editor),
    ...contentRoutes({ contents, spaces, registry, readers, contentEvents, folder, siteLink }),
    ...installationRoutes({ registry, addresses, installations, blocks, tasks, webhooks }),
    ...configurationRoutes({ registry, configure, readOptions, failures }),
    ...eventRoutes({ trigger, replay, failures, host, callLog }),
    ...componentRoutes(render, blocks),
    'GET /connections': createConnections({
      callLog,
      addresses,
      failures,
      registry,
      isLocalProvider: provider !== undefined,
    }),
    ...callRoutes({ callLog, limits, recorder, signatures, registry, clock }),
    ...recordingRoutes({ callLog, recorder, record, replayFailures }),
    ...requestRoutes({
      registry,
      addresses,
      callLog,
      timers,
      failures,
      recorder,
      signatures,
      publicEndpoint,
    }),
    ...webhookRoutes({ webhooks, registry, callLog }),
    ...stateRoutes(snapshots, tasks, clockMoves),
    'GET /preferences': preferences.all,
    'PUT /preferences/{key}': ({ key, value }: Input<'PUT /preferences/{key}'>) =>
      preferences.put(key, value),
    ...liveRoutes({ feed, timers, secrets, closing: closing.signal, start: streamSecret }),
  };
  const consoleSurfaces: ConsoleSurfaces = {
    oauth: createOAuthProvider({ state, clock, addresses, registry, secrets, preferences, mode: oauth }),
    consoleApi: createConsoleApi({ handlers, holdsKey, key: token, readers, addresses, secrets }),
    files: options.console ?? (() => undefined),
  };

  feed.subscribe((event) => {
    const moved = event.type === 'installation' && ['resumed', 'uninstalled'].includes(event.change);
    if (moved || event.type === 'state-loaded') tasks.wake();
  });
  const primary: Emulator['primary'] = () => {
    const { name } = registry.integration();
    const [first] = registry.installations.all();
    if (!first) return { publicEndpoint: addresses.integration(name) };
    return { installation: first.id, publicEndpoint: addresses.target(name, { installation: first.id }) };
  };

  return {
    fetch: createPublicApp(
      origin,
      surfaces,
      createHostCheck(origin, ['127.0.0.1', 'localhost', '[::1]'], publicUrl),
      reportError,
    ),
    streamSecret,
    holdsToken: (token) => tokens.bearer(token) !== undefined,
    fetchConsole: createConsoleApp(
      consoleOrigin,
      consoleSurfaces,
      createHostCheck(consoleOrigin),
      reportError,
    ),
    async start() {
      tasks.wake();
      if (!noInstall && !registry.record().everInstalled) await installations.install();
    },
    primary,
    reload(integration, build) {
      const former = registry.integration().name;
      const version = adoptBuild({ registry, clock, callLog }, integration, build);
      registry.replaceIntegration(integration);
      feed.emit({ type: 'reloaded', version });
      if (integration.name !== former)
        feed.emit({
          type: 'warning',
          code: 'renamed',
          message: `The integration is now ${integration.name} instead of ${former}. Its public endpoint is now ${primary().publicEndpoint}`,
        });
      configure.reconsider();
    },
    reportBuild: builds.set,
    ...installations,
    configure: configure.edit,
    fire: events.fire,
    environment: environments.of,
    insertBlock: blocks.insert,
    render,
    readers,
    trigger: trigger.fire,
    replay,
    webhooks,
    content: (space) => contents.get(space),
    subscribe: feed.subscribe,
    settled: background.settled,
    async close() {
      closing.abort();
      tasks.close();
      await background.settled();
      await webhooks.close();
    },
  };
}

/** Opens the folders that are mounted as spaces. The ids of moved pages are stored in the state. */
function mountContents(
  { registry, store: { state } }: Records,
  { mount }: PlatformOptions,
): Map<string, Content> {
  const mounted = createCollection<Record<string, string>>(state, 'moved-pages');
  return new Map(
    registry.workspace.spaces.flatMap(({ id }) => {
      const content = mount?.(id, {
        read: () => mounted.get(id) ?? {},
        write: (moved) => mounted.put(id, moved),
      });
      return content ? [[id, content] as const] : [];
    }),
  );
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
