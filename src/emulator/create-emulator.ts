import { createConsoleApp } from './http/console-app.js';
import type { Emulator, EmulatorOptions } from './emulator.js';
import { createHostCheck } from './http/check-host-and-origin.js';
import { createServices } from './services.js';
import { createPublicApp } from './http/public-app.js';
import { createHttpHandlers } from './http-handlers.js';
import { createHash } from 'node:crypto';
import type { Integration } from '../protocol/integration.js';
import type { Registry } from './state/registry.js';

export function createEmulator(options: EmulatorOptions): Emulator {
  const { origin, consoleOrigin, publicUrl, noInstall = false } = options;
  const closing = new AbortController();
  const parts = createServices(options);
  const { registry, installations, tasks, addresses, feed, configure, background, webhooks } = parts;
  if (options.build !== undefined) adoptBuild(registry, registry.integration(), options.build);

  const surfaces = createHttpHandlers(options, parts, closing.signal);
  const hostCheck = createHostCheck(origin, ['127.0.0.1', 'localhost', '[::1]'], publicUrl);
  // Another name would be another origin, with other storage.
  const consoleHostCheck = createHostCheck(consoleOrigin, ['127.0.0.1']);
  feed.subscribe((event) => {
    if (event.type === 'state-loaded' || (event.type === 'installation' && event.change === 'resumed')) {
      tasks.wake();
    }
  });

  return {
    fetch: createPublicApp(surfaces.public, hostCheck, parts.complain),
    fetchConsole: createConsoleApp(surfaces.console, consoleHostCheck, parts.complain),
    observer: parts.recorder.observer,
    async start() {
      tasks.wake();
      if (!noInstall && !registry.record().everInstalled) await installations.install();
    },
    primary() {
      const { name } = registry.integration();
      const [first] = registry.installations.all();
      if (!first) return { publicEndpoint: addresses.integration(name) };
      return { installation: first.id, publicEndpoint: addresses.installation(name, first.id) };
    },
    reload(integration, build) {
      const version = adoptBuild(registry, integration, build);
      registry.replaceIntegration(integration);
      feed.emit({ type: 'reloaded', version });
      configure.reconsider();
    },
    reportBuild: parts.builds.set,
    ...installations,
    configure: configure.edit,
    fire: parts.events.fire,
    environment: parts.environments.of,
    insertBlock: parts.blocks.insert,
    render: parts.render,
    trigger: parts.trigger.fire,
    replay: parts.replay,
    webhooks,
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

/** Each new build gets the next version number. The same build again, as after a restart, keeps its number. */
function adoptBuild(registry: Registry, integration: Integration, build: string | undefined): number {
  const { version, build: known } = registry.record();
  const name = createHash('sha256')
    .update(JSON.stringify([build, integration]))
    .digest('hex');
  if (build !== undefined && name === known) return version;
  const next = build !== undefined && known === undefined ? version : version + 1;
  registry.update({ version: next, build: name });
  return next;
}
