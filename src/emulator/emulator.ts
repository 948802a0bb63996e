import type { RawHeaders } from './http/raw-request-headers.js';
import type { Content, MovedPages } from '../content/index.js';
import type { Timers } from '../base/clock.js';
import type { Environment } from '../protocol/environment.js';
import type { Integration } from '../protocol/integration.js';
import type { ScriptHost } from '../sandbox/script/script-host.js';
import type { WebhookFetch } from '../webhooks/send/send-request.js';
import type { Block } from '../protocol/block.js';
import type { BuildReport } from '../protocol/build-report.js';
import type { ConfigurationEdit } from './calls/edit-configuration.js';
import type { EmulatorEvent } from './live/emulator-event.js';
import type { InstallTarget } from './state/script-environments.js';
import type { FiredEvent } from './calls/event-sender.js';
import type { NewEvent } from './state/require-installation.js';
import type { InstallRequest } from './calls/installations.js';
import type { ConsentMode } from '../protocol/oauth/oauth-outcomes.js';
import type { PlacementKind } from './state/installation-records.js';
import type { RenderRequest, RenderResult } from '../contract/routes/components.js';
import type { Readers } from './calls/readers.js';
import type { Replay } from './calls/replay.js';
import type { ListingResource } from '../contract/routes/listing.js';
import type { Triggered, TriggerRequest } from './calls/trigger.js';
import type { Webhooks } from './calls/webhooks.js';

/** A line of a project file. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

export type EditorOutcome = { outcome: 'opened' | 'not-found' } | { outcome: 'failed'; message: string };

/** What opens a line of a project file: a link in the console, or a command of this machine. */
export interface Editor {
  /** With `{file}`, `{line}` and `{column}`. */
  link?: string;
  open?: (place: SourcePlace) => Promise<EditorOutcome>;
}

export interface PlatformOptions {
  /** Undefined: the console copies the file and line. */
  editor?: Editor;
  /** The build that `host` runs. If it differs from the build of the last start, it is a new version. */
  build?: string;
  host: ScriptHost;
  /** Time limits, heartbeats and open streams follow the machine, even if the clock is frozen. */
  timers: Timers;
  /** The public port: `http://127.0.0.1:4100`. */
  origin: string;
  /** The console port: `http://127.0.0.1:54321`. */
  consoleOrigin: string;
  /** The URL of a tunnel to the public endpoints. */
  publicUrl?: string;
  /** The project's `public/` folder, which is served if it exists. */
  publicFolder?: string;
  /** The name of the runtime that runs the script, for people. */
  runtime?: string;
  /** What to do with an event whose scope the manifest does not request. */
  scopes?: 'warn' | 'enforce';
  /** The automatic choice on the consent page of the built-in OAuth provider. */
  oauth?: ConsentMode;
  /** `local`: authorizations that scripts start go to the built-in provider. */
  oauthProvider?: 'local' | 'real';
  /** Serves the console's own files; undefined if there is no file at the address. */
  console?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** The results of the marketplace checks, for the console. */
  listing?: () => ListingResource | Promise<ListingResource>;
  /** The version of this package. */
  platformVersion: string;
  /** For the jitter of retries: a number from 0 up to 1. */
  random?: () => number;
  /** Sends webhooks. */
  fetch?: WebhookFetch;
  /** Opens the folder of a space; undefined if it has none. The caller closes it. */
  mount?: (space: string, ids: MovedPages) => Content | undefined;
  /** If true, the first start does not install the integration. */
  noInstall?: boolean;
}

/** The platform itself, without sockets. */
export interface Emulator {
  /** Handles a request to the public port. `call` becomes the id of a call of a public endpoint. */
  fetch(request: Request, rawHeaders?: RawHeaders, call?: string): Promise<Response>;
  /** Handles a request to the console port. */
  fetchConsole(request: Request): Promise<Response>;
  /** The first start installs the integration. Later starts resume pending work. */
  start(): Promise<void>;
  reload(integration: Integration, build?: string): void;
  /** Shows the result of a build in the console. Call this after each build. */
  reportBuild(report: BuildReport): void;
  /** The first installation and its address, or the integration's own address if it is not installed. */
  primary(): { installation?: string; publicEndpoint: string };
  install(request?: InstallRequest): Promise<string>;
  uninstall(installation: string): Promise<void>;
  addTo(installation: string, kind: PlacementKind, target: string): Promise<void>;
  remove(installation: string, kind: PlacementKind, target: string): Promise<void>;
  configure(target: InstallTarget, edit: ConfigurationEdit): Promise<FiredEvent>;
  pause(installation: string): void;
  resume(installation: string): void;
  /** Sends an event to the script. */
  fire(event: NewEvent, target: InstallTarget): Promise<FiredEvent>;
  /**
   * The environment that the script gets for a target; undefined if the integration is not installed there.
   */
  environment(target: InstallTarget): Environment | undefined;
  insertBlock(block: Omit<Block, 'id' | 'installation'> & { installation?: string }): Block;
  render(request: RenderRequest): Promise<RenderResult>;
  /** What readers see and do on the site. */
  readers: Readers;
  trigger(request: TriggerRequest): Promise<Triggered>;
  replay: Replay;
  webhooks: Webhooks;
  /** The pages of a space; undefined if no folder is mounted there. */
  content(space: string): Content | undefined;
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  /** Resolves when all pending work is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
