import type { VirtualClock } from '../base/clock.js';
import type { Headroom, LimitName } from '../protocol/call-limits.js';
import type { ConfigurationValues, Environment } from '../protocol/environment.js';
import type { EventOf, EventType, RenderContext } from '../protocol/events.js';
import type { Integration } from '../protocol/integration.js';
import type { IntegrationScript } from '../runtime/index.js';
import type { RenderedComponent } from './component/component-types.js';
import type {
  OAuthOptions,
  OAuthPage,
  StubOptions,
  StubResponse,
  TestDelivery,
  TestRequest,
  TestTarget,
  TestWebhook,
  VisitOptions,
} from './outside/outside-types.js';

/**
 * What a test platform is made of.
 *
 * @example
 * ```ts
 * const options: TestPlatformOptions = {
 *   integration,
 *   secrets: { CLIENT_ID: 'client' },
 *   env: { CHAT_SIGNING_SECRET: 'signing' },
 *   unstubbed: 'refuse',
 * };
 * ```
 */
export interface TestPlatformOptions {
  /**
   * The default export of the entry file. If it is left out, the script that the manifest names is built as
   * `platform dev` builds it: for what a test runner can't load, such as `.raw.js` files.
   */
  integration?: IntegrationScript;
  /** The path of the manifest or of its folder, or its fields. Default: `platform-manifest.yaml` in the current folder. */
  manifest?: string | URL | Record<string, unknown>;
  /** For a manifest given as fields: the folder that its paths are relative to. Default: the current folder. */
  folder?: string | URL;
  /** Values of secrets, by the names that the manifest gives them. */
  secrets?: Record<string, string>;
  /** Environment variables for `${{ env.NAME }}` in the manifest. Neither `.env` nor `process.env` is read. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Stands still until the test moves it. Default: a clock of its own that starts at the current time. */
  clock?: VirtualClock;
  /**
   * What happens to an outbound request that no stub responds to. `fail` (the default): it fails, and so does
   * `close()`, even if the script caught the error. `refuse`: it only fails. `pass`: it goes to the `fetch` of
   * the test process, for example to Mock Service Worker.
   */
  unstubbed?: 'fail' | 'refuse' | 'pass';
  /**
   * `workerd`: the script that the manifest names is built, and runs in the runtime of production. Needs the npm
   * package `workerd`, and no `integration`. Its timers follow the real time. Default: the process of the test.
   */
  runtime?: 'workerd';
}

/**
 * What an installation, or its part in a site or space, starts with.
 *
 * @example
 * ```ts
 * const connected: InitialState = { configuration: { oauth_credentials: { access_token: 'at' } }, externalIds: ['T1'] };
 * await platform.install(connected);
 * ```
 */
export interface InitialState {
  /** May hold what the manifest does not declare, such as `oauth_credentials`. Defaults are filled in. */
  configuration?: ConfigurationValues;
  externalIds?: string[];
}

/**
 * What an installation starts with, and where.
 *
 * @example
 * ```ts
 * await platform.install({
 *   configuration: { channel: 'docs' },
 *   sites: [{ id: 'site_local', configuration: { team: 'T1' } }],
 *   spaces: [],
 * });
 * ```
 */
export interface InstallOptions extends InitialState {
  /** Sites and spaces to install it in: ids, or ids with what they start with. Default: all. */
  sites?: (string | ({ id: string } & InitialState))[];
  spaces?: (string | ({ id: string } & InitialState))[];
}

/**
 * An event to send. What is left out gets a plausible value.
 *
 * @example
 * ```ts
 * const event: TestEvent = { type: 'space_content_updated', revisionId: 'r1' };
 * await platform.trigger(event);
 * ```
 */
export type TestEvent = { [Type in EventType]: { type: Type } & Partial<EventOf<Type>> }[EventType];

/**
 * What became of an event.
 *
 * @example
 * ```ts
 * const { outcome, headers, rejections } = await platform.trigger({ type: 'space_view' });
 * expect([outcome, headers.get('location'), rejections]).toEqual(['ok', null, []]);
 * ```
 */
export interface TestEventResult {
  /** `withheld`: the platform did not send it, because the installation is paused or a scope is missing. */
  outcome: 'ok' | 'failed' | 'no-handler' | 'withheld';
  /** Status of the script's response; 0 if the event was withheld. */
  status: number;
  headers: Headers;
  /** Body of the script's response, or why the event was withheld. */
  text: string;
  /** If it failed: the error that the script threw, with its file and line. */
  error?: string;
  /** What background work of this event (`waitUntil`) was rejected with. */
  rejections: unknown[];
}

/**
 * What background work (`waitUntil`) was rejected with.
 *
 * @example
 * ```ts
 * await platform.settled();
 * expect(platform.rejections()).toEqual([{ error: new Error('The chat responded with 503.') }]);
 * ```
 */
export interface TestRejection {
  error: unknown;
}

/**
 * A line that the script has logged.
 *
 * @example
 * ```ts
 * expect(platform.logs()).toContainEqual({ level: 'info', text: 'Revision r1' });
 * ```
 */
export interface TestLog {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}

/**
 * A call of the script that has ended: its response has been read.
 *
 * @example
 * ```ts
 * expect(platform.calls().filter(({ near }) => near.length > 0)).toEqual([]);
 * ```
 */
export interface TestCall {
  /** The type of the event; `fetch` for a request to a public endpoint. */
  type: string;
  outcome: 'ok' | 'failed' | 'no-handler';
  status: number;
  /** If it failed: the error that the script threw, with its file and line. */
  error?: string;
  /** What it needed of each limit: time, script size, body sizes, outbound requests. */
  headroom: Headroom;
  /** The limits of which it needed more than 80%. `platform.dev.yaml` sets them. */
  near: LimitName[];
}

/**
 * What a new version replaces.
 *
 * @example
 * ```ts
 * await platform.upgrade({ integration: createIntegration({ fetch: async () => new Response('second') }) });
 * ```
 */
export interface UpgradeOptions {
  /** The new code. Default: the code stays, or is built again if it was built before. */
  integration?: IntegrationScript;
  /** The new manifest. Default: the manifest is read again. */
  manifest?: TestPlatformOptions['manifest'];
}

/**
 * The result of a test, as vitest (`{ task }`) and node:test (`{ passed }`) hand it to hooks.
 *
 * @example
 * ```ts
 * afterEach((context) => platform.close(context));
 * ```
 */
export interface FinishedTest {
  task?: { result?: { state?: string | undefined } | undefined };
  passed?: boolean;
}

/**
 * The platform around one integration: see `createTestPlatform`.
 *
 * @example
 * ```ts
 * platform.stub('https://api.example.com', Response.json({ items: [] }));
 * await platform.install({ configuration: { channel: 'docs' } });
 * expect(await platform.trigger({ type: 'space_content_updated' })).toMatchObject({ outcome: 'ok' });
 * expect(platform.outbound()).toHaveLength(1);
 * await platform.close();
 * ```
 */
export interface TestPlatform {
  /** The manifest, as the platform understands it. */
  readonly integration: Integration;
  readonly clock: VirtualClock;
  /** Installs the integration, and sends the setup events. */
  install(options?: InstallOptions): Promise<void>;
  /** Removes it from a site or a space, or altogether, and sends the events that say so. */
  uninstall(target?: TestTarget): Promise<void>;
  /** Pauses the installation: the script gets no events, and its endpoints respond with 503. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Replaces the code, the manifest or both by a new version; installations stay. */
  upgrade(options?: UpgradeOptions): Promise<void>;
  /** What the script gets as `context.environment`. */
  environment(target?: TestTarget): Environment;
  /** Edits properties as a person would: unknown properties and values that don't fit are errors. */
  configure(values: ConfigurationValues, target?: TestTarget): Promise<TestEventResult>;
  /** Sends an event, and waits until it is handled, background work included. */
  trigger(event: TestEvent): Promise<TestEventResult>;
  /** Renders a component. */
  render(
    component: string,
    options?: TestTarget & { props?: Record<string, unknown>; context?: Partial<RenderContext> },
  ): Promise<RenderedComponent>;
  /** Sends a request to a path below the public endpoint of the installation, or of its site or space. */
  fetch(path: string, init?: RequestInit & TestTarget): Promise<Response>;
  /** Goes to the provider as a user, decides there, and comes back. */
  oauth(options?: OAuthOptions): Promise<OAuthPage>;
  /** Opens a page that needs visitor authentication, or signs out. Default: on the first site. */
  visit(options?: VisitOptions): Promise<Response>;
  /**
   * Responds to outbound requests to an address and all below it: `[METHOD ]address[?query]`. `*` is any text in
   * the host or a path segment. A path alone, such as `/spaces/*`, is one of the platform's own API. The most
   * specific stub wins, of equal ones the newest. Several responses are used in turn.
   */
  stub(address: string, response: StubResponse | StubResponse[], options?: StubOptions): void;
  /** Makes the platform send events of a site or a space to an address, which the test stubs. */
  webhook(endpoint: TestWebhook): Promise<{ secret: string }>;
  /** What was sent to webhooks, oldest first. `clock.advance` brings the retries on. */
  deliveries(): Promise<TestDelivery[]>;
  /** Resolves when all background work (`waitUntil`) is done. */
  settled(): Promise<void>;
  /** The calls of the script so far, with what each needed of the limits. */
  calls(): TestCall[];
  /** What the script has logged so far. Secrets are masked, as everywhere on the platform. */
  logs(): TestLog[];
  /** What background work (`waitUntil`) was rejected with so far. */
  rejections(): TestRejection[];
  /** The requests that the script has made so far, but for those to the platform itself. */
  outbound(): TestRequest[];
  /**
   * Waits for background work and gives the globals back. Rejects if a request had no stub. Given the context
   * that vitest and node:test hand to hooks, it prints what the script has logged if the test failed.
   */
  close(test?: FinishedTest): Promise<void>;
}
