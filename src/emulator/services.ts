import { errorMessage } from '../base/text/error-message.js';
import { createAddresses } from './http/addresses.js';
import { createBackground } from '../base/background-work.js';
import { createBlocks } from './state/inserted-blocks.js';
import { createContentEvents } from './calls/content-events.js';
import { createConfigure } from './calls/edit-configuration.js';
import type { PlatformOptions } from './emulator.js';
import type { Records } from './open-records.js';
import { createEndpointCookies } from './public/endpoint-cookies.js';
import { createEnvironments } from './state/script-environments.js';
import { createFailures } from './calls/call-failure.js';
import { createEventSender } from './calls/event-sender.js';
import { createLastBuild } from './state/last-build.js';
import { createInstallations } from './calls/installations.js';
import { createPreferences } from './state/preferences.js';
import { createReaders } from './calls/readers.js';
import { createRender } from './calls/render-component.js';
import { createReplay } from './calls/replay.js';
import { createScriptCalls } from './calls/script-calls.js';
import { createSnapshots } from './state/snapshots.js';
import { createCollection } from './state/installation-records.js';
import { createSignatures, isRefusal } from './calls/signatures.js';
import { createSpaces } from './state/spaces.js';
import { createSpaceSync } from './calls/sync-space.js';
import { createClockMoves } from './calls/move-clock.js';
import { createTasks } from './calls/scheduled-tasks.js';
import { createTokens } from './state/tokens.js';
import { createTrigger } from './calls/trigger.js';
import { webhookFetch } from './webhook-fetch.js';
import { withTimeout } from '../base/deadlines.js';
import { createWebhooks } from './calls/webhooks.js';

/** How long a failed render waits for the log that explains it. */
const longestLogMs = 500;

export type Services = ReturnType<typeof createServices>;

/** Creates all of the platform's services. Each service receives the services that it depends on. */
export function createServices(records: Records, options: PlatformOptions) {
  const { store, clock, limits, token, feed, registry, secrets, recorder } = records;
  const { host, timers, scopes = 'warn' } = options;
  const { random = Math.random, fetch = webhookFetch } = options;
  const { state, callLog } = store;
  const reportError = (error: unknown): void => {
    const message = errorMessage(error);
    feed.emit({ type: 'warning', code: 'bug', message });
  };
  const background = createBackground(reportError);
  const addresses = createAddresses(options);
  const base = {
    state,
    callLog,
    clock,
    timers,
    feed,
    background,
    addresses,
    registry,
    scopes,
    reportError,
    limits,
  };

  const environments = createEnvironments(registry, addresses);
  const failures = createFailures(callLog);
  const calls = createScriptCalls({ host, recorder, timers, defaultedIn: environments.defaultedIn });
  const version = options.platformVersion;
  const ahead = (): number => options.movable?.ahead() ?? 0;
  const webhooks = createWebhooks({
    ...base,
    ahead,
    secrets,
    store: store.deliveries,
    random,
    fetch,
    version,
  });
  const { forward } = webhooks;
  const events = createEventSender({ ...base, environments, calls, recorder, forward });
  const signatures = createSignatures({ ...base, environments, webhooks });
  feed.subscribe((event) => {
    if (event.type === 'call-finished' && isRefusal(event.call.response?.status ?? 0))
      background.run(signatures.report(event.call, recorder));
  });
  const installations = createInstallations({ ...base, events });
  const configure = createConfigure({ ...base, events });
  const blocks = createBlocks(base);
  const renderOnce = createRender({ ...base, events, blocks, environments });
  const render: typeof renderOnce = async (request) => {
    const result = await renderOnce(request);
    if (result.type !== 'error' || result.call === undefined) return result;
    // The script's process reports what it logged separately from the response.
    if (failures.of(result.call)?.file === undefined && host.settled)
      await withTimeout(timers, longestLogMs, host.settled(), undefined);
    const failure = failures.of(result.call);
    return failure ? { ...result, failure } : result;
  };
  const mounted = createCollection<Record<string, string>>(state, 'moved-pages');
  const contents = new Map(
    registry.workspace.spaces.flatMap(({ id }) => {
      const content = options.mount?.(id, {
        read: () => mounted.get(id) ?? {},
        write: (moved) => mounted.put(id, moved),
      });
      return content ? [[id, content] as const] : [];
    }),
  );
  const spaces = createSpaces({ ...base, contents });
  const tokens = createTokens({ ...base, secrets });
  const tasks = createTasks({ ...base, environments, events, recorder });
  const clockMoves = createClockMoves({ ...base, movable: options.movable, host, tasks, webhooks });
  const trigger = createTrigger({ ...base, events, spaces });
  const readers = createReaders({ ...base, events });
  const contentEvents = createContentEvents({ ...base, events });
  for (const [space, content] of contents) {
    content.subscribe(({ id }) => {
      feed.emitToConsole({ type: 'content', space });
      contentEvents.updated(space, id);
    });
    content.subscribeToSyncs(({ id, git }) =>
      contentEvents.synced(space, { revisionId: id, commitId: git.oid }),
    );
  }
  const syncSpace = createSpaceSync({ spaces, contents, contentEvents });
  const replay = createReplay({ ...base, environments, calls, secrets });
  const snapshots = createSnapshots(base);
  const preferences = createPreferences(state);
  const builds = createLastBuild(feed);
  const cookies = createEndpointCookies(state);
  return {
    ...base,
    host,
    token,
    environments,
    secrets,
    recorder,
    failures,
    calls,
    signatures,
    events,
    installations,
    configure,
    blocks,
    readers,
    render,
    spaces,
    contents,
    contentEvents,
    syncSpace,
    tokens,
    tasks,
    clockMoves,
    webhooks,
    trigger,
    replay,
    snapshots,
    preferences,
    builds,
    cookies,
  };
}
