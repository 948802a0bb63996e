import type { Editor } from './console/editor-routes.js';
import type { RawHeaders } from './http/raw-request-headers.js';
import type { Content, MovedPages } from '../content/index.js';
import type { Timers } from '../base/clock.js';
import type { MovableClock } from '../base/movable-clock.js';
import type { Environment } from '../protocol/environment.js';
import type { Integration } from '../protocol/integration.js';
import type { ScriptHost } from '../sandbox/script/script-host.js';
import type { WebhookFetch } from '../webhooks/send/send-request.js';
import type { Block } from '../protocol/block.js';
import type { BuildReport } from '../protocol/build-report.js';
import type { ConfigurationEdit } from './installations/edit-configuration.js';
import type { EmulatorEvent } from './live/emulator-event.js';
import type { InstallTarget } from './state/script-environments.js';
import type { FiredEvent } from './calls/event-sender.js';
import type { NewEvent } from './state/require-installation.js';
import type { Installations } from './installations/installations.js';
import type { ConsentMode } from '../protocol/oauth/oauth-outcomes.js';
import type { PlacementKind } from './state/installation-records.js';
import type { RenderRequest, RenderResult } from '../contract/routes/components.js';
import type { Readers } from './spaces/readers.js';
import type { Replay } from './calls/replay.js';
import type { ListingResource } from '../contract/routes/listing.js';
import type { FailureReplay, RecordingRequest, RecordingResource } from '../contract/routes/recordings.js';
import type { SessionIntegration } from '../contract/routes/overview.js';
import type { LoggedCall } from './calls/logged-call.js';
import type { Storms } from './calls/storms.js';
import type { Triggered, TriggerRequest } from './events/trigger.js';
import type { Webhooks } from './webhooks/webhooks.js';

export interface PlatformOptions {
  /** How to open a source line. If undefined, the console copies the file and line instead. */
  editor?: Editor;
  /** The build that `host` runs. A different build than at the previous start counts as a new version. */
  build?: string;
  host: ScriptHost;
  /** Real time, for time limits, heartbeats and open streams. It keeps running even if the clock is frozen. */
  timers: Timers;
  /** The clock of the records, if users may move it. */
  movable?: MovableClock;
  /** The origin of the public port, such as `http://127.0.0.1:4100`. */
  origin: string;
  /** The origin of the console port, such as `http://127.0.0.1:54321`. */
  consoleOrigin: string;
  /** The origin of the site's port, such as `http://127.0.0.1:43117`. If it is missing, no pages are published. */
  siteOrigin?: string;
  /** The URL of a tunnel to the public endpoints. */
  publicUrl?: string;
  /** The project folder, with symlinks resolved. */
  folder?: string;
  /** The link to the first page of the site, including the site key. */
  siteLink?: string;
  /** The project's `public/` folder, which is served if it exists. */
  publicFolder?: string;
  /** The display name of the script's runtime. */
  runtime?: string;
  /** The name in the manifest's `envs`, if one was chosen. */
  environment?: string;
  /** Whether to warn about or reject events and API requests whose scope is missing from the manifest. */
  scopes?: 'warn' | 'enforce';
  /** The result to select automatically on the built-in OAuth provider's consent page. */
  oauth?: ConsentMode;
  /** The provider for authorizations that scripts start. `local` is the built-in provider. */
  oauthProvider?: 'local' | 'real';
  /** Returns the URL at the test double of a host that the script redirects a browser to. */
  doubleOf?: (location: URL) => URL | undefined;
  /** Serves the console's own files. Returns undefined for any other URL. */
  console?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Returns the results of the marketplace checks, for the console to show. */
  listing?: () => ListingResource | Promise<ListingResource>;
  /** Saves calls to a file in the project. */
  record?: (
    calls: readonly LoggedCall[],
    options: Omit<RecordingRequest, 'calls'>,
  ) => Promise<RecordingResource>;
  /** Runs failed calls again with the current code. */
  replayFailures?: (calls: readonly LoggedCall[]) => Promise<FailureReplay[]>;
  platformVersion: string;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), for retry jitter. */
  random?: () => number;
  fetch?: WebhookFetch;
  /** Opens a space's folder. Resolves to undefined if the space has no folder. The caller must close the folder. */
  mount?: (space: string, ids: MovedPages) => Content | undefined;
  /** Returns the integrations of the session. By default, there is only this one. */
  integrations?: () => SessionIntegration[];
  /** Finds calls that cause themselves, also through other platforms that share it. */
  storms?: Storms;
  /** Whether to skip installing the integration on the first start. */
  noInstall?: boolean;
}

/** The platform without its sockets. */
export interface Emulator extends Omit<Installations, 'addTo'> {
  /** Handles a request to the public port. If the request is for a public endpoint, `call` is set to the call id. */
  fetch(request: Request, rawHeaders?: RawHeaders, call?: string): Promise<Response>;
  /** Whether a token for the API was issued by this platform. */
  holdsToken(token: string): boolean;
  /** The secret in the ids of the live stream. */
  streamSecret: string;
  /** Handles a request to the console port. */
  fetchConsole(request: Request): Promise<Response>;
  /** Starts the platform. The first start installs the integration, and later starts resume pending work. */
  start(): Promise<void>;
  reload(integration: Integration, build?: string): void;
  /** Shows the result of a build in the console. Must be called after each build. */
  reportBuild(report: BuildReport): void;
  /** Returns the first installation and its URL, or the integration's own URL if it is not installed. */
  primary(): { installation?: string; publicEndpoint: string };
  addTo(installation: string, kind: PlacementKind, target: string): Promise<void>;
  configure(target: InstallTarget, edit: ConfigurationEdit): Promise<FiredEvent>;
  /** Sends an event to the script. */
  fire(event: NewEvent, target: InstallTarget): Promise<FiredEvent>;
  /** Returns the script's environment for a target, or undefined if the integration is not installed there. */
  environment(target: InstallTarget): Environment | undefined;
  insertBlock(block: Omit<Block, 'id' | 'installation'> & { installation?: string }): Block;
  render(request: RenderRequest): Promise<RenderResult>;
  /** What readers can see and do on the site. */
  readers: Readers;
  trigger(request: TriggerRequest): Promise<Triggered>;
  replay: Replay;
  webhooks: Webhooks;
  /** Returns the pages of a space, or undefined if the space has no folder. */
  content(space: string): Content | undefined;
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  /** Resolves when all pending work is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
