import { createConsoleApp } from './http/console-app.js';
import type { Emulator, PlatformOptions } from './emulator.js';
import { createHostCheck } from './http/check-host-and-origin.js';
import type { Records } from './open-records.js';
import { createServices } from './services.js';
import { createPublicApp } from './http/public-app.js';
import { createConsoleHandlers, createPublicHandlers } from './http-handlers.js';
import { adoptBuild } from './state/adopt-build.js';

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
  const parts = createServices(records, options);
  const surfaces = createPublicHandlers(options, parts);
  const closing = new AbortController();
  const { origin, publicUrl, noInstall = false } = options;
  const { registry, installations, tasks, addresses, feed, configure, background, webhooks } = parts;
  const { callLog } = records.store;
  if (options.build !== undefined) adoptBuild({ ...parts, callLog }, registry.integration(), options.build);

  const hostCheck = createHostCheck(origin, ['127.0.0.1', 'localhost', '[::1]'], publicUrl);
  feed.subscribe((event) => {
    const moved = event.type === 'installation' && ['resumed', 'uninstalled'].includes(event.change);
    if (moved || event.type === 'state-loaded') tasks.wake();
  });

  const primary: Emulator['primary'] = () => {
    const { name } = registry.integration();
    const [first] = registry.installations.all();
    if (!first) return { publicEndpoint: addresses.integration(name) };
    return { installation: first.id, publicEndpoint: addresses.installation(name, first.id) };
  };

  return {
    fetch: createPublicApp(origin, surfaces, hostCheck, parts.reportError),
    holdsToken: (token) => parts.tokens.bearer(token) !== undefined,
    fetchConsole: createConsoleApp(
      options.consoleOrigin,
      createConsoleHandlers(options, parts, surfaces, closing.signal),
      createHostCheck(options.consoleOrigin),
      parts.reportError,
    ),
    async start() {
      tasks.wake();
      if (!noInstall && !registry.record().everInstalled) await installations.install();
    },
    primary,
    reload(integration, build) {
      const former = registry.integration().name;
      const version = adoptBuild({ ...parts, callLog }, integration, build);
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
    reportBuild: parts.builds.set,
    ...installations,
    configure: configure.edit,
    fire: parts.events.fire,
    environment: parts.environments.of,
    insertBlock: parts.blocks.insert,
    render: parts.render,
    readers: parts.readers,
    trigger: parts.trigger.fire,
    replay: parts.replay,
    webhooks,
    content: (space) => parts.contents.get(space),
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
