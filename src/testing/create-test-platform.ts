import { newId, parseOptions, type FiredEvent } from '../emulator/index.js';
import { createVirtualClock, systemClock } from '../base/clock.js';
import { htmlText } from '../base/text/html-text.js';
import { createClose } from './close-platform.js';
import { createInstalled } from './installed.js';
import { createLocalWorld, type LocalWorld } from './local-world.js';
import type { OAuthOptions, OAuthPage, TestTarget } from './outside/outside-types.js';
import { readProject } from './read-test-project.js';
import type { FindOptions } from './component/fill-input.js';
import { createTestPage } from './page/test-page.js';
import { renderComponent } from './component/rendered-component.js';
import {
  addWebhook,
  listDeliveries,
  readFired,
  targetOfEvent,
  triggerEvent,
  visitorEvent,
} from './test-events.js';
import type { TestPlatform, TestPlatformOptions } from './test-platform.js';

/**
 * Runs the entire platform inside the test process, in any test runner.
 *
 * It opens no ports and does not use the network. Nothing is installed until you call `install()`, and time
 * passes only when you call `clock.advance()`. The script runs in the test process, so everything that
 * production blocks (Node modules, `process`, `eval` and so on) works here. `platform dev` and
 * `platform publish-check` find such problems. With `runtime: 'workerd'`, the script runs in the production
 * runtime, in its own process.
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
export async function createTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const { clock = createVirtualClock(Date.now()), unstubbed = 'fail' } = options;
  let current = options;
  let project = readProject(options);
  const world = await createLocalWorld(options, project, { clock, timers: systemClock, unstubbed });
  const { emulator, outside, settled, rejections } = world;

  const installed = createInstalled(world, () => project.integration);
  const { inside, addressOf } = installed;
  const optionsAt = (target: TestTarget): FindOptions =>
    findOptions(emulator, (url) => addressOf(url, target));

  return {
    get integration() {
      return project.integration;
    },
    clock,
    ...installed,
    async upgrade({ integration, manifest } = {}) {
      const next = { ...current, ...(integration && { integration }), ...(manifest && { manifest }) };
      const nextProject = readProject(next);
      await world.upgrade(nextProject, next);
      // An upgrade that fails changes nothing.
      [current, project] = [next, nextProject];
      await settled();
    },
    async trigger(event) {
      const fired = await triggerEvent(emulator, event, inside(targetOfEvent(event)));
      await settled();
      return readFired(fired, world);
    },
    render: (component, { site, space, ...how } = {}) =>
      renderComponent(
        { render: renderAndSettle(world), find: optionsAt({ site, space }) },
        { component, ...inside({ site, space }), ...how },
      ),
    page: (path) =>
      createTestPage(
        {
          ...world,
          integration: () => project.integration,
          installation: () => inside().installation,
          render: renderAndSettle(world),
          find: optionsAt,
        },
        path,
      ),
    async fetch(path, { site, space, ...init } = {}) {
      const call = newId('call');
      const request = new Request(addressOf(path, { site, space }), init);
      const response = await emulator.fetch(request, undefined, call);
      if (response.status < 500) return response;
      // A call ends when the last byte of its response has been read.
      const whole = new Response(await response.arrayBuffer(), response);
      const error = world.errorOf(call);
      return error === undefined ? whole : Object.assign(whole, { error });
    },
    async oauth({ path = buttonPath(project.integration), ...trip } = {}) {
      const page = await visitProvider(world, addressOf(path, trip), trip);
      await settled();
      return page;
    },
    async visit(visit = {}) {
      const event = visitorEvent(visit, inside().installation, project, world.origin);
      const fired = await emulator.fire(event, inside(targetOfEvent(event)));
      await settled();
      return responseOf(fired);
    },
    stub: outside.stub,
    webhook(endpoint) {
      const { spaces } = project.workspace;
      return addWebhook(emulator, { installationId: inside().installation, spaces }, endpoint);
    },
    deliveries: () => listDeliveries(emulator),
    settled,
    calls: world.calls,
    logs: () => [...world.logs],
    rejections: () => rejections.map(({ error }) => ({ error })),
    outbound: () => [...outside.requests],
    close: createClose(world, () => project.integration.name),
  };
}

/** Requests a select's options from the script, as the console does. */
const findOptions =
  ({ fetch }: Pick<LocalWorld['emulator'], 'fetch'>, addressOf: (url: string) => string): FindOptions =>
  async (url, typed) => {
    const address = new URL(addressOf(url));
    address.searchParams.set('q', typed);
    const response = await fetch(new Request(address));
    const options = response.status === 200 ? parseOptions(await response.text()) : undefined;
    if (options) return options.map(({ id }) => id);
    throw new Error(
      `${url} responded with ${response.status} instead of a list of options: a JSON array of strings or of { id, label }.`,
    );
  };

const renderAndSettle =
  ({ emulator, settled, errorOf }: LocalWorld): LocalWorld['emulator']['render'] =>
  async (request) => {
    const rendered = await emulator.render(request);
    await settled();
    return rendered.type === 'error' && rendered.call !== undefined
      ? { ...rendered, message: errorOf(rendered.call) ?? rendered.message }
      : rendered;
  };

/** The path that the configuration's first button opens. */
function buttonPath({ configurations }: TestPlatform['integration']): string {
  const properties = Object.values(configurations).flatMap((section) => Object.values(section.properties));
  const button = properties.find((property) => property.type === 'button');
  if (!button)
    throw new Error('The manifest has no button property. Pass the path that starts the OAuth flow.');
  return button.callback_url;
}

/** Follows the redirect to the provider, approves or denies there, and follows the redirect back. */
async function visitProvider(
  { visit, outside, consoleOrigin }: Pick<LocalWorld, 'visit' | 'outside' | 'consoleOrigin'>,
  start: string,
  { outcome = 'approve', token, status = 200 }: OAuthOptions,
): Promise<OAuthPage> {
  const departure = await visit(new Request(start));
  const location = departure.headers.get('location');
  if (location === null) {
    throw new Error(
      `${start} responded with ${departure.status} instead of a redirect to the provider: ${await departure.text()}`,
    );
  }
  const authorizeUrl = new URL(location);
  const provider = `${consoleOrigin}/oauth/authorize${authorizeUrl.search}`;
  const body = new URLSearchParams({ decision: outcome });
  const decided = await visit(
    new Request(provider, { method: 'POST', body, headers: { Origin: consoleOrigin } }),
  );
  const back = decided.headers.get('location');
  if (back === null) {
    throw new Error(`The built-in provider rejected ${location}: ${htmlText(await decided.text())}`);
  }
  if (token || status !== 200) {
    const given = token ?? { error: 'invalid_grant' };
    outside.tokenResponse = () => Response.json(given, { status });
  }
  try {
    const page = await visit(new Request(back));
    return Object.assign(page, { authorizeUrl });
  } finally {
    outside.tokenResponse = undefined;
  }
}

const bodiless = [101, 204, 205, 304];

function responseOf(fired: FiredEvent): Response {
  if (fired.outcome === 'withheld') throw new Error(`The visit was not sent to the script: ${fired.reason}.`);
  const { status, headers, body } = fired;
  return new Response(bodiless.includes(status) ? null : Buffer.from(body), { status, headers });
}
