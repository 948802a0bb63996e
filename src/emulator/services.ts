import { errorMessage } from '../base/text/error-message.js';
import { defaultWorkspace } from '../protocol/workspace.js';
import { createAddresses } from './http/addresses.js';
import { createBackground } from '../base/background-work.js';
import { createBlocks } from './state/inserted-blocks.js';
import { createConfigure } from './calls/edit-configuration.js';
import type { EmulatorOptions } from './emulator.js';
import { createEndpointCookies } from './public/endpoint-cookies.js';
import { createEnvironments } from './state/script-environments.js';
import { createFailures } from './calls/call-failure.js';
import { createEventFeed } from './live/event-feed.js';
import { createEventSender } from './calls/event-sender.js';
import { createLastBuild } from './state/last-build.js';
import { chooseLimits } from './calls/headroom.js';
import { createInstallations } from './calls/installations.js';
import { createPreferences } from './state/preferences.js';
import { createRegistry } from './state/registry.js';
import { createRender } from './calls/render-component.js';
import { createReplay } from './calls/replay.js';
import { createScriptCalls } from './calls/script-calls.js';
import { createSecrets } from './state/platform-secrets.js';
import { createSnapshots } from './state/snapshots.js';
import { createSpaces } from './state/spaces.js';
import { createTasks } from './calls/scheduled-tasks.js';
import { createTokens } from './state/tokens.js';
import { createCallRecorder } from './calls/call-recorder.js';
import { createTrigger } from './calls/trigger.js';
import { webhookFetch } from './webhook-fetch.js';
import { createWebhooks } from './calls/webhooks.js';

export type Services = ReturnType<typeof createServices>;

/** Creates all services of the emulator. Each service gets the ones that it depends on. */
export function createServices(options: EmulatorOptions) {
  const { integration, host, store, clock, timers } = options;
  const { workspace = defaultWorkspace, scopes = 'warn' } = options;
  const { random = Math.random, fetch = webhookFetch } = options;
  const { limits = chooseLimits(), scriptBytes = () => undefined, sourceOf = () => undefined } = options;
  const { state, callLog } = store;
  const feed = createEventFeed();
  const reportError = (error: unknown): void => {
    const message = errorMessage(error);
    feed.emit({ type: 'warning', code: 'bug', message });
  };
  const background = createBackground(reportError);
  const addresses = createAddresses(options);
  const registry = createRegistry({ integration, workspace, state });
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
  const secrets = createSecrets(registry, [options.token]);
  const scriptVersion = (): number => registry.record().version;
  const recorder = createCallRecorder({ ...base, secrets, version: scriptVersion, scriptBytes, sourceOf });
  const failures = createFailures(callLog);
  const calls = createScriptCalls({ host, recorder, version: scriptVersion, timers });
  const events = createEventSender({ ...base, environments, calls, recorder });
  const installations = createInstallations({ ...base, events });
  const configure = createConfigure({ ...base, events });
  const blocks = createBlocks(base);
  const render = createRender({ ...base, events, blocks, environments });
  const spaces = createSpaces(base);
  const tokens = createTokens({ ...base, secrets });
  const tasks = createTasks({ ...base, events, recorder });
  const version = options.platformVersion;
  const webhooks = createWebhooks({ ...base, secrets, store: store.deliveries, random, fetch, version });
  const trigger = createTrigger({ ...base, events, spaces, forward: webhooks.forward });
  const replay = createReplay({ ...base, environments, calls, secrets });
  const snapshots = createSnapshots(base);
  const preferences = createPreferences(state);
  const builds = createLastBuild(feed);
  const cookies = createEndpointCookies(state);
  return {
    ...base,
    environments,
    secrets,
    recorder,
    failures,
    calls,
    events,
    installations,
    configure,
    blocks,
    render,
    spaces,
    tokens,
    tasks,
    webhooks,
    trigger,
    replay,
    snapshots,
    preferences,
    builds,
    cookies,
  };
}
