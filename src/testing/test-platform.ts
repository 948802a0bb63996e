import type { VirtualClock } from '../base/clock.js';
import type { Headroom, LimitName } from '../protocol/call-limits.js';
import type { ConfigurationValues, Environment } from '../protocol/environment.js';
import type { EventOf, EventType, RenderContext } from '../protocol/events.js';
import type { Integration } from '../protocol/integration.js';
import type { IntegrationScript } from '../runtime/index.js';
import type { RenderedComponent } from './component/component-types.js';
import type { TestPage } from './page/page-types.js';
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
 * The options of `createTestPlatform`.
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
   * The entry file's default export. If omitted, the platform builds the manifest's script as `platform dev`
   * does, so it can also contain files that a test runner cannot load, such as `.raw.js`.
   */
  integration?: IntegrationScript;
  /**
   * The path to the manifest or its folder, or the manifest's fields. Default: `platform-manifest.yaml` in
   * the current folder.
   */
  manifest?: string | URL | Record<string, unknown>;
  /** The folder for relative paths, if `manifest` contains fields. Default: the current folder. */
  folder?: string | URL;
  /** Values of secrets, keyed by their names in the manifest. */
  secrets?: Record<string, string>;
  /** Environment variables for `${{ env.NAME }}` in the manifest. `.env` and `process.env` are not read. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * The test's clock, which advances only when the test advances it. Default: a new clock that starts at the
   * current time.
   */
  clock?: VirtualClock;
  /**
   * What happens to an outbound request without a matching stub. `fail` (the default): the request fails, and
   * so does `close()`, even if the script caught the error. `refuse`: only the request fails. `pass`: it goes
   * to the `fetch` of the test process, for example to Mock Service Worker.
   */
  unstubbed?: 'fail' | 'refuse' | 'pass';
  /**
   * The first space's pages, for `platform.page()`. Either a folder of Markdown files, which is copied, or
   * the files themselves by path. Default: one sample page, which cannot be opened.
   */
  content?: string | URL | Record<string, string>;
  /**
   * If set to `workerd`, the manifest's script is built and runs in the production runtime. Requires the
   * `workerd` npm package, and cannot be combined with `integration`. Timers use real time. Default: the
   * script runs in the test process.
   */
  runtime?: 'workerd';
}

/**
 * The initial state of an installation, or of its site or space installation.
 *
 * @example
 * ```ts
 * const connected: InitialState = { configuration: { oauth_credentials: { access_token: 'at' } }, externalIds: ['T1'] };
 * await platform.install(connected);
 * ```
 */
export interface InitialState {
  /**
   * May contain values that the manifest does not declare, such as `oauth_credentials`. Defaults are filled
   * in.
   */
  configuration?: ConfigurationValues;
  externalIds?: string[];
}

/**
 * The initial state of an installation, and where it is installed.
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
  /** Sites and spaces in which to install it: ids, or ids with an initial state. Default: all. */
  sites?: (string | ({ id: string } & InitialState))[];
  spaces?: (string | ({ id: string } & InitialState))[];
}

/**
 * An event to send. Omitted fields have plausible values.
 *
 * @example
 * ```ts
 * const event: TestEvent = { type: 'space_content_updated', revisionId: 'r1' };
 * await platform.trigger(event);
 * ```
 */
export type TestEvent = { [Type in EventType]: { type: Type } & Partial<EventOf<Type>> }[EventType];

/**
 * The result of an event.
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
  /** Status of the script's response, or 0 if the event was withheld. */
  status: number;
  headers: Headers;
  /** Body of the script's response, or the reason why the event was withheld. */
  text: string;
  /** If the call failed: the error that the script threw, with its file and line. */
  error?: string;
  /** Rejections of background work (`waitUntil`) that this event started. */
  rejections: unknown[];
}

/**
 * The response to a request that a test sent to the integration.
 *
 * @example
 * ```ts
 * const { status, error } = await platform.fetch('/hook', { method: 'POST' });
 * expect({ status, error }).toEqual({ status: 200, error: undefined });
 * ```
 */
export interface TestResponse extends Response {
  /** If the call failed: the error that the script threw, with its file and line. */
  error?: string;
}

/**
 * A rejected promise that was passed to `waitUntil`.
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
 * A line that the script logged.
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
 * A finished call whose response has been read.
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
  /** If the call failed: the error that the script threw, with its file and line. */
  error?: string;
  /** How much of each limit the call used: time, script size, body sizes and outbound requests. */
  headroom: Headroom;
  /** The limits of which the call used more than 80%. `platform.dev.yaml` sets them. */
  near: LimitName[];
}

/**
 * The changes in a new version.
 *
 * @example
 * ```ts
 * await platform.upgrade({ integration: createIntegration({ fetch: async () => new Response('second') }) });
 * ```
 */
export interface UpgradeOptions {
  /** The new code. Default: the same code, built again if it was built before. */
  integration?: IntegrationScript;
  /** The new manifest. Default: the manifest is read again. */
  manifest?: TestPlatformOptions['manifest'];
}

/**
 * The result of a test, as vitest (`{ task }`) and node:test (`{ passed }`) pass it to hooks.
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
 * A platform that runs one integration. Create one with `createTestPlatform`.
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
  /** The normalized manifest. */
  readonly integration: Integration;
  /** The clock that the test advances. */
  readonly clock: VirtualClock;
  /** Installs the integration, and sends the setup events. */
  install(options?: InstallOptions): Promise<void>;
  /** Removes the integration from a site or space, or uninstalls it, and sends the matching events. */
  uninstall(target?: TestTarget): Promise<void>;
  /** Pauses the installation. The script then receives no events, and its endpoints respond with 503. */
  pause(): Promise<void>;
  /** Resumes a paused installation. */
  resume(): Promise<void>;
  /** Replaces the code, the manifest or both with a new version. Installations are kept. */
  upgrade(options?: UpgradeOptions): Promise<void>;
  /** The value of `context.environment` in the script. */
  environment(target?: TestTarget): Environment;
  /** Edits properties as a user would. Throws for unknown properties and invalid values. */
  configure(values: ConfigurationValues, target?: TestTarget): Promise<TestEventResult>;
  /** Sends an event, and waits until the event and its background work have been handled. */
  trigger(event: TestEvent): Promise<TestEventResult>;
  /** Renders a component. */
  render(
    component: string,
    options?: TestTarget & { props?: Record<string, unknown>; context?: Partial<RenderContext> },
  ): Promise<RenderedComponent>;
  /**
   * A page of `content`, by its path without `.md`. You can read it, render its blocks, and view, rate and edit it as people
   * do.
   */
  page(path: string): TestPage;
  /** Sends a request to a path at the public endpoint of the installation, or of its site or space. */
  fetch(path: string, init?: RequestInit & TestTarget): Promise<TestResponse>;
  /** Completes an OAuth flow as a user: goes to the provider, approves or denies, and returns. */
  oauth(options?: OAuthOptions): Promise<OAuthPage>;
  /** Opens a page that requires visitor authentication, or signs the visitor out. Default: on the first site. */
  visit(options?: VisitOptions): Promise<Response>;
  /**
   * Responds to outbound requests to a URL and all paths under it: `[METHOD ]URL[?query]`. `*` matches any text in the host or
   * a path segment. A path such as `/spaces/*` belongs to the platform's own API. The most specific stub wins. If several are
   * equally specific, the newest one wins. If there are several responses, they are used in turn.
   */
  stub(address: string, response: StubResponse | StubResponse[], options?: StubOptions): void;
  /** Makes the platform send the events of a site or space to a URL, which the test must stub. */
  webhook(endpoint: TestWebhook): Promise<{ secret: string }>;
  /** Deliveries to webhooks, oldest first. `clock.advance` triggers retries. */
  deliveries(): Promise<TestDelivery[]>;
  /** Resolves when all background work (`waitUntil`) is done. */
  settled(): Promise<void>;
  /** The script's calls so far, and how much of each limit they used. */
  calls(): TestCall[];
  /** What the script has logged so far. Secrets are masked. */
  logs(): TestLog[];
  /** Rejections of background work (`waitUntil`) so far. */
  rejections(): TestRejection[];
  /** The requests that the script has sent so far, except those to the platform itself. */
  outbound(): TestRequest[];
  /**
   * Waits for background work and restores the globals. Rejects if a request had no stub. If you pass it the
   * context that vitest and node:test pass to hooks, it prints the script's logs when the test has failed.
   */
  close(test?: FinishedTest): Promise<void>;
}
