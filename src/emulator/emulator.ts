import type { RawHeaders } from './http/raw-request-headers.js';
import type { CallLimits } from '../protocol/call-limits.js';
import type { Clock } from '../base/clock.js';
import type { Environment } from '../protocol/environment.js';
import type { Integration } from '../protocol/integration.js';
import type { Workspace } from '../protocol/workspace.js';
import type { ScriptHost, ScriptObserver } from '../sandbox/script-host.js';
import type { Store } from '../store/store.js';
import type { WebhookFetch } from '../webhooks/send/send-request.js';
import type { Block } from '../protocol/block.js';
import type { BuildReport } from '../protocol/build-report.js';
import type { ConfigurationEdit } from './state/edit-configuration.js';
import type { EmulatorEvent } from './live/emulator-event.js';
import type { InstallTarget } from './state/script-environments.js';
import type { FiredEvent, NewEvent } from './calls/fire-and-record.js';
import type { InstallRequest } from './state/installations.js';
import type { ConsentMode } from '../protocol/oauth/oauth-outcomes.js';
import type { PlacementKind } from './state/installation-records.js';
import type { RenderRequest, RenderResult } from '../contract/routes/components.js';
import type { ReplayResource } from '../contract/routes/events.js';
import type { ListingResource } from '../contract/routes/listing.js';
import type { Triggered, TriggerRequest } from './calls/fire-event.js';
import type { Webhooks } from './calls/webhook-events.js';

export interface EmulatorOptions {
  integration: Integration;
  /** Names the build that `host` runs; another one than at the last start is a new version. */
  build?: string;
  host: ScriptHost;
  store: Store;
  clock: Clock;
  workspace?: Workspace;
  /** The public port: `http://127.0.0.1:4100`. */
  origin: string;
  /** The console port: `http://127.0.0.1:54321`. */
  consoleOrigin: string;
  /** Where a tunnel makes the public endpoints reachable. */
  publicUrl?: string;
  /** The project's own folder: errors show the lines of its sources. */
  projectFolder?: string;
  /** The project's `public/` folder: its files are served, where it exists. */
  publicFolder?: string;
  /** What a call may need at most: one that comes near is marked. */
  limits?: CallLimits;
  /** The size of the script that is called now. */
  scriptBytes?: () => number | undefined;
  /** What happens at an event whose scope the manifest does not ask for. */
  scopes?: 'warn' | 'enforce';
  /** What the consent page of the platform's OAuth provider answers by itself. */
  oauth?: ConsentMode;
  /** `local`: authorizations that scripts begin are sent to the platform's own provider. */
  oauthProvider?: 'local' | 'real';
  /** The key that opens the console's API; new at each start. */
  token: string;
  /** The console's own files: nothing where it has none at this address. */
  console?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** What the checks of the marketplace say, for the console. */
  listing?: () => ListingResource | Promise<ListingResource>;
  /** Of this package. */
  platformVersion: string;
  /** For the jitter of retries: from 0 up to 1. */
  random?: () => number;
  /** What webhooks are sent with. */
  fetch?: WebhookFetch;
  /** The first start installs nothing. */
  noInstall?: boolean;
}

/** The platform without its console. */
export type HeadlessEmulator = Omit<Emulator, 'fetchConsole'>;

/** The platform itself: everything but the sockets. */
export interface Emulator {
  /** What the public port serves. */
  fetch(request: Request, rawHeaders?: RawHeaders): Promise<Response>;
  /** What the console port serves. */
  fetchConsole(request: Request): Promise<Response>;
  /** For the host: where the script's logs and outbound calls go. */
  observer: ScriptObserver;
  /** The first start installs the integration; any other takes up what was left. */
  start(): Promise<void>;
  reload(integration: Integration, build?: string): void;
  /** For the console: whoever builds the script tells how it went. */
  reportBuild(report: BuildReport): void;
  /** The first installation and its address, or the integration's own where it is not installed. */
  primary(): { installation?: string; publicEndpoint: string };
  install(request?: InstallRequest): Promise<string>;
  uninstall(installation: string): Promise<void>;
  place(installation: string, kind: PlacementKind, target: string): Promise<void>;
  remove(installation: string, kind: PlacementKind, target: string): Promise<void>;
  configure(place: InstallTarget, edit: ConfigurationEdit): Promise<FiredEvent>;
  pause(installation: string): void;
  resume(installation: string): void;
  /** Sends an event to the script. */
  fire(event: NewEvent, place: InstallTarget): Promise<FiredEvent>;
  /** What the script is told of a place; nothing where the integration is not installed. */
  environment(place: InstallTarget): Environment | undefined;
  insertBlock(block: Omit<Block, 'id' | 'installation'> & { installation?: string }): Block;
  render(request: RenderRequest): Promise<RenderResult>;
  trigger(request: TriggerRequest): Promise<Triggered>;
  replay(call: string): Promise<ReplayResource>;
  webhooks: Webhooks;
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  /** Resolves when all that was begun is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}
