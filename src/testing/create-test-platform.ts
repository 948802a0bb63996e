import type { Emulator } from '../emulator/index.js';
import { createVirtualClock } from '../base/clock.js';
import type { Environment } from '../protocol/environment.js';
import { createLocalWorld, type LocalWorld } from './local-world.js';
import { loadScript, readProject } from './read-test-project.js';
import { renderComponent } from './rendered-component.js';
import {
  fillOutEvent,
  isWebhookEvent,
  placeOfEvent,
  readFired,
  addWebhook,
  listDeliveries,
} from './test-events.js';
import type { TestPlace, TestPlatform, TestPlatformOptions } from './test-platform.js';

/**
 * The whole platform around an integration, in this process: for tests, in any runner.
 *
 * It opens no port and reaches no network. Nothing is installed before `install()`.
 *
 * @example
 * ```ts
 * import { createTestPlatform } from 'integration-platform/testing';
 * import { expect, test } from 'vitest';
 * import integration from '../src/index';
 *
 * test('a press counts', async () => {
 *   const platform = await createTestPlatform({ integration });
 *   await platform.install();
 *   const block = await platform.render('counter');
 *   await block.press('Count');
 *   expect(block.text()).toContain('Pressed once');
 *   await platform.close();
 * });
 * ```
 */
export async function createTestPlatform(options: TestPlatformOptions): Promise<TestPlatform> {
  const { clock = createVirtualClock(Date.now()) } = options;
  const project = readProject(options.manifest, options.secrets);
  const { integration } = project;
  const script = options.integration ?? (await loadScript(project));
  const world = await createLocalWorld(script, project, clock);
  const { emulator, settled } = world;

  let installation: string | undefined;
  const inside = ({ site, space }: TestPlace = {}) => {
    if (installation === undefined) throw new Error('Nothing is installed yet: call install() first.');
    return { installation, ...(site && { site }), ...(space && { space }) };
  };
  const environment = (place?: TestPlace): Environment => {
    const found = emulator.environment(inside(place));
    if (!found) throw new Error(`The integration is not installed in ${place?.site ?? place?.space}.`);
    return found;
  };
  const addressOf = (path: string, place?: TestPlace): string => {
    const { siteInstallation, spaceInstallation, installation } = environment(place);
    const { urls } = siteInstallation ?? spaceInstallation ?? installation ?? {};
    return URL.canParse(path) ? path : `${urls?.publicEndpoint}/${path.replace(/^\//, '')}`;
  };

  return {
    integration,
    clock,
    environment,
    async install({ configuration, ...targets } = {}) {
      installation = await emulator.install(targets);
      if (configuration) await emulator.configure(inside(), { set: configuration });
      await settled();
    },
    async configure(values, place) {
      const fired = await emulator.configure(inside(place), { set: values });
      await settled();
      return readFired(fired);
    },
    async trigger(event) {
      const whole = fillOutEvent(event, inside().installation, project.workspace);
      const fired = await emulator.fire(whole, inside(placeOfEvent(whole)));
      if (isWebhookEvent(whole)) await emulator.webhooks.forward(whole);
      await settled();
      return readFired(fired);
    },
    render: (component, { site, space, ...how } = {}) =>
      renderComponent(renderAndSettle(world), { component, ...inside({ site, space }), ...how }),
    fetch: async (path, { site, space, ...init } = {}) =>
      emulator.fetch(new Request(addressOf(path, { site, space }), init)),
    async oauth({ outcome, path = buttonPath(integration), ...place }) {
      const page = await visitProvider(world.fetch, addressOf(path, place), outcome);
      await settled();
      return page;
    },
    stub: world.stub,
    webhook(endpoint) {
      const { spaces } = project.workspace;
      return addWebhook(emulator, { installationId: inside().installation, spaces }, endpoint);
    },
    deliveries: () => listDeliveries(emulator),
    settled,
    logs: () => [...world.logs],
    outbound: () => [...world.outbound],
    close: world.close,
  };
}

const renderAndSettle =
  ({ emulator, settled }: LocalWorld): Emulator['render'] =>
  async (request) => {
    const drawn = await emulator.render(request);
    await settled();
    return drawn;
  };

/** Where the first button of the settings leads. */
function buttonPath({ configurations }: TestPlatform['integration']): string {
  const properties = Object.values(configurations).flatMap((section) => Object.values(section.properties));
  const button = properties.find((property) => property.type === 'button');
  if (!button) throw new Error('The manifest has no button: say which path starts the flow.');
  return button.callback_url;
}

type Fetch = (request: Request) => Promise<Response>;

/** Follows the redirect to the provider, decides there, and follows the one back. */
async function visitProvider(fetch: Fetch, start: string, outcome: 'approve' | 'deny'): Promise<Response> {
  const departure = await fetch(new Request(start));
  const provider = departure.headers.get('location');
  if (provider === null) {
    throw new Error(
      `${start} answered ${departure.status}, where it should redirect to the provider: ${await departure.text()}`,
    );
  }
  const decision = new URLSearchParams({ decision: outcome });
  const decided = await fetch(
    new Request(provider, { method: 'POST', body: decision, headers: { Origin: new URL(provider).origin } }),
  );
  const back = decided.headers.get('location');
  if (back === null) {
    throw new Error(`The provider refused the request: ${await decided.text()}`);
  }
  return fetch(new Request(back));
}
