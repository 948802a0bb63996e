import { defaultWorkspace } from '../protocol/workspace.js';
import { createAddresses } from './addresses.js';
import { createApp } from './app.js';
import { createBackground } from './background.js';
import { createBlocks } from './blocks.js';
import { createConfigure } from './configure.js';
import type { Emulator, EmulatorOptions } from './emulator.js';
import { createEnvironments } from './environments.js';
import { createEventFeed } from './event-feed.js';
import { createEvents } from './events.js';
import { createHostCheck } from './host-check.js';
import { errorResponse } from './http-error.js';
import { newId } from './ids.js';
import { createInstallations } from './installations.js';
import { createManagementApi } from './management/management-api.js';
import { createOAuthProvider } from './oauth-provider/oauth-provider.js';
import { rerouteAuthorization } from './oauth-provider/reroute.js';
import { createPublicEndpoint } from './public-endpoint.js';
import { createRegistry } from './registry.js';
import { createRender } from './render.js';
import { createScriptCalls } from './script-calls.js';
import { createSecrets } from './secrets.js';
import { createSpaces } from './spaces.js';
import { createTasks } from './tasks.js';
import { createTokens } from './tokens.js';
import { createTrafficRecorder } from './traffic-recorder.js';

export function createEmulator(options: EmulatorOptions): Emulator {
  const { integration, host, store, clock, origin, publicUrl, workspace = defaultWorkspace } = options;
  const { scopes = 'warn', noInstall = false, oauth = 'ask', oauthProvider = 'real' } = options;
  const feed = createEventFeed();
  const background = createBackground((error) =>
    feed.emit({
      type: 'warning',
      code: 'bug',
      message: error instanceof Error ? error.message : String(error),
    }),
  );
  const addresses = createAddresses(origin, publicUrl);
  const registry = createRegistry({ integration, workspace, state: store.state });
  const environments = createEnvironments(registry, addresses);
  const secrets = createSecrets(registry, () => []);
  const recorder = createTrafficRecorder({ traffic: store.traffic, clock, feed, secrets });
  const calls = createScriptCalls({ host, recorder, version: () => registry.record().version });
  const events = createEvents({ registry, environments, calls, recorder, feed, scopes });
  const installations = createInstallations({ registry, events, feed, clock });
  const configure = createConfigure({ registry, events, feed, background });
  const spaces = createSpaces(registry, addresses, store.state);
  const tokens = createTokens({ registry, state: store.state, clock, secrets });
  const tasks = createTasks({ registry, events, state: store.state, clock, feed, background });
  const blocks = createBlocks({ state: store.state, registry, feed });
  const render = createRender({ registry, environments, events, blocks });

  const nothing = (): Response => errorResponse(404, 'There is nothing at this address.');
  const fetch = createApp(
    {
      publicEndpoint: createPublicEndpoint({
        registry,
        environments,
        calls,
        addresses,
        reroute: (response) =>
          oauthProvider === 'local' ? rerouteAuthorization(response, addresses.local) : response,
      }),
      content: nothing,
      rawEnvelope: (request) => calls.raw(newId('call'), request),
      management: createManagementApi({
        registry,
        addresses,
        configure,
        spaces,
        tasks,
        tokens,
        feed,
        scopes,
      }),
      oauth: createOAuthProvider({
        state: store.state,
        clock,
        addresses,
        mode: oauth,
        title: () => registry.integration().title,
        issued: secrets.add,
      }),
      consoleApi: nothing,
      console: () => undefined,
    },
    createHostCheck(origin, publicUrl),
    (error) => feed.emit({ type: 'warning', code: 'bug', message: String(error) }),
  );

  return {
    fetch,
    observer: recorder.observer,
    async start() {
      if (!noInstall && !registry.record().everInstalled) await installations.install();
      tasks.wake();
    },
    primary() {
      const { name } = registry.integration();
      const [first] = registry.installations.all();
      if (!first) return { publicEndpoint: addresses.integration(name) };
      return { installation: first.id, publicEndpoint: addresses.installation(name, first.id) };
    },
    reload(next) {
      registry.replaceIntegration(next);
      const version = registry.record().version + 1;
      registry.update({ version });
      feed.emit({ type: 'reloaded', version });
      configure.reconsider();
    },
    ...installations,
    resume(installation) {
      installations.resume(installation);
      tasks.wake();
    },
    configure: configure.edit,
    fire: events.fire,
    environment: environments.of,
    insertBlock: blocks.insert,
    render,
    subscribe: feed.subscribe,
    settled: background.settled,
    async close() {
      tasks.close();
      await background.settled();
    },
  };
}
