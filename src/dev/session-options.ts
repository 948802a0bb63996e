import { dirname, join } from 'node:path';
import type { Clock, Timers } from '../base/clock.js';
import { chooseLimits, createConsoleFiles, tokenReroutes, type PlatformOptions } from '../emulator/index.js';
import type { DevSettings, RuntimeName } from '../manifest/index.js';
import type { CallLimits } from '../protocol/call-limits.js';
import type { Integration } from '../protocol/integration.js';
import type { ConsentMode } from '../protocol/oauth/oauth-outcomes.js';
import { defaultTimeoutMs } from '../sandbox/index.js';
import type { OutboundRules } from '../sandbox/script/script-host.js';
import type { PortChoice } from './open-ports.js';
import { chooseEditor } from './settings/choose-editor.js';
import type { ProjectOptions } from './reload/load-project.js';

export interface SessionOptions extends ProjectOptions {
  /** If undefined, `platform.dev.yaml` sets the ports. */
  port: PortChoice;
  consolePort: PortChoice;
  sitePort: PortChoice;
  /** Whether to report type errors, using the project's own TypeScript. */
  typecheck: boolean;
  /** Whether to wait if the first build is broken, until it is fixed. */
  patient: boolean;
  /** The pages of the first space. If undefined, `platform.dev.yaml` sets them. */
  contentFolder: string | undefined;
  state: 'disk' | 'memory';
  fresh: boolean;
  install: boolean;
  scopes: 'warn' | 'enforce';
  oauth: ConsentMode;
  oauthProvider: 'local' | 'real';
  publicUrl: string | undefined;
  timeoutMs: number | undefined;
  inspect: number | undefined;
  /** If undefined, `platform.dev.yaml` sets it. */
  runtime: RuntimeName | undefined;
  clock: Clock;
  timers: Timers;
  signal: AbortSignal;
  process: { pid: number; userId: number | undefined; node: string; isRunning(pid: number): boolean };
  /** This package: its folder and version. */
  package: { folder: string; version: string };
  /** Returns the marketplace's findings on the current project. */
  listing: NonNullable<PlatformOptions['listing']>;
  /** The key of the console. New for each session, and kept in memory only. */
  token: string;
  /** The same for the site. It lets a reader act, and opens nothing else. */
  siteKey: string;
}

/** The addresses of the ports that scripts know. */
export interface Origins {
  origin: string;
  consoleOrigin: string;
}

export const outboundRules = (
  { oauthProvider }: SessionOptions,
  { recordOutboundDetails = true }: DevSettings,
  { origin, consoleOrigin }: Origins,
): OutboundRules => ({
  reroutes: oauthProvider === 'local' ? tokenReroutes(consoleOrigin) : [],
  details: recordOutboundDetails,
  api: `${origin}/api/`,
});

export const limitsOf = (
  { inspect, timeoutMs = defaultTimeoutMs }: SessionOptions,
  { limits }: DevSettings,
): CallLimits => chooseLimits(limits, inspect === undefined ? timeoutMs : undefined);

/** What does not depend on another part of the session. */
export function platformOptions(
  options: SessionOptions,
  settings: DevSettings,
  current: () => Integration,
): Omit<PlatformOptions, 'host' | 'origin' | 'consoleOrigin'> {
  const { timers, listing, scopes, oauth, oauthProvider, install, publicUrl } = options;
  const folder = dirname(options.manifestFile);
  const editor = chooseEditor(settings.editor, { env: options.env, folder });
  return {
    timers,
    listing,
    ...(editor && { editor }),
    platformVersion: options.package.version,
    console: createConsoleFiles({
      folder: join(options.package.folder, 'dist/console'),
      project: () => ({ folder, integration: current() }),
    }),
    scopes,
    oauth,
    oauthProvider,
    noInstall: !install,
    publicFolder: join(folder, 'public'),
    ...(publicUrl !== undefined && { publicUrl }),
  };
}
