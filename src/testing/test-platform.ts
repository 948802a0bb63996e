import type { VirtualClock } from '../base/clock.js';
import type { ConfigurationValues, Environment } from '../protocol/environment.js';
import type { EventOf, EventType, RenderContext } from '../protocol/events.js';
import type { Integration } from '../protocol/integration.js';
import type { IntegrationScript } from '../runtime/index.js';
import type { Markup } from '../runtime/jsx/markup.js';

export interface TestPlatformOptions {
  /**
   * The default export of the entry file. Where it is left out, the script that the manifest names is
   * built as `platform dev` builds it: for what a test runner can't load, such as `.raw.js` files.
   */
  integration?: IntegrationScript;
  /** Where the manifest lies, or its fields; `platform-manifest.yaml` in the current folder by default. */
  manifest?: string | URL | Record<string, unknown>;
  /** Values of the secrets that the manifest declares. `.env` is not read. */
  secrets?: Record<string, string>;
  /** Stands still until it is moved on; it begins at the present by default. */
  clock?: VirtualClock;
}

/** A site or a space that the integration is installed in; the installation itself where both are left out. */
export interface TestPlace {
  site?: string | undefined;
  space?: string | undefined;
}

export interface InstallOptions {
  /** Values of `configurations.account`. Those that are left out have their defaults. */
  configuration?: ConfigurationValues;
  /** Ids of sites and spaces to install it into; all there are by default. */
  sites?: string[];
  spaces?: string[];
}

/** An event to fire. What is left out gets a plausible value. */
export type TestEvent = { [Type in EventType]: { type: Type } & Partial<EventOf<Type>> }[EventType];

export interface TestEventResult {
  /** `withheld`: the platform did not send it, because the installation is paused or there is none. */
  outcome: 'ok' | 'failed' | 'no-handler' | 'withheld';
  /** Of the script's answer; 0 where it was not asked. */
  status: number;
  text: string;
}

export interface TestLog {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}

export interface TestRequest {
  method: string;
  url: string;
  /** 0 where no answer came. */
  status: number;
}

export interface TestWebhook {
  url: string;
  /** Types of events. */
  events: string[];
  /** What the requests are signed with; one is made where none is given. */
  secret?: string;
  /** Where its events happen. */
  site?: string;
  space?: string;
}

export interface TestDelivery {
  type: string;
  eventId: string;
  /** `delivered`, or why it is not. */
  state: string;
  /** Requests whose outcome is known. */
  attempts: number;
}

/** A component as a person sees it. Its properties change with every press. */
export interface RenderedComponent {
  /** Null where it draws nothing. */
  readonly element: Markup | null;
  readonly state: Record<string, unknown>;
  readonly props: Record<string, unknown>;
  /** The modal that it has opened. */
  readonly modal: RenderedComponent | undefined;
  /** The address that the last press opened in a new tab. */
  readonly openedUrl: string | undefined;
  /** What the component gave back when it was done. */
  readonly returnValue: unknown;
  /** False once the component is done, or the modal is closed. */
  readonly open: boolean;
  /** All that can be read in it, one text a line. */
  text(): string;
  /** Presses what bears this label (or title, tooltip, icon). */
  press(label: string): Promise<void>;
  /** Enters a value in the input that is bound to this key of the state. */
  fill(state: string, value: unknown): Promise<void>;
  /** Sends an action that nothing on the screen sends, such as `@link.unfurl`. */
  act(action: { action: string; [field: string]: unknown }): Promise<void>;
}

export interface TestPlatform {
  /** The manifest, as the platform understands it. */
  readonly integration: Integration;
  readonly clock: VirtualClock;
  /** Installs it, and sends the setup events. */
  install(options?: InstallOptions): Promise<void>;
  /** What the script is told of where it runs. */
  environment(place?: TestPlace): Environment;
  /** Edits settings, as a person would. */
  configure(values: ConfigurationValues, place?: TestPlace): Promise<TestEventResult>;
  /** Fires an event, and waits until it is handled. */
  trigger(event: TestEvent): Promise<TestEventResult>;
  render(
    component: string,
    options?: TestPlace & { props?: Record<string, unknown>; context?: Partial<RenderContext> },
  ): Promise<RenderedComponent>;
  /** Requests a path below the public endpoint of the installation, or of its site or space. */
  fetch(path: string, init?: RequestInit & TestPlace): Promise<Response>;
  /** Goes to the provider and comes back; the callback of the first button in the manifest by default. */
  oauth(options: TestPlace & { outcome: 'approve' | 'deny'; path?: string }): Promise<Response>;
  /** Answers the script's requests to this address and all below it. Others fail. */
  stub(address: string, answer: (request: Request) => Response | Promise<Response>): void;
  /** Has the platform send events of a site or a space to an address. Gives the secret it signs with. */
  webhook(endpoint: TestWebhook): Promise<{ secret: string }>;
  /** What was sent to webhooks, oldest first. `clock.advance` brings the retries on. */
  deliveries(): Promise<TestDelivery[]>;
  /** Resolves when everything that handlers left to `waitUntil` is done. */
  settled(): Promise<void>;
  /** What the script has logged so far. */
  logs(): TestLog[];
  /** The requests that the script has made so far. */
  outbound(): TestRequest[];
  close(): Promise<void>;
}
