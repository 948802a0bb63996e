import type { RuntimeName } from '../protocol/runtime-names.js';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SystemClock, Timers } from '../base/clock.js';
import { chooseLimits, createConsoleFiles, tokenReroutes, type PlatformOptions } from '../emulator/index.js';
import type { DevSettings } from '../manifest/index.js';
import type { CallLimits } from '../protocol/call-limits.js';
import { describeDouble } from '../protocol/outbound-map.js';
import type { Integration } from '../protocol/integration.js';
import type { ConsentMode } from '../protocol/oauth/oauth-outcomes.js';
import { defaultTimeoutMs } from '../sandbox/index.js';
import type { OutboundRules } from '../sandbox/script/script-host.js';
import type { PortChoice } from './open-ports.js';
import { chooseEditor } from './settings/open-in-editor.js';
import type { ProjectOptions } from './reload/load-project.js';

export interface SessionOptions extends ProjectOptions {
  /** If undefined, the ports in `platform.dev.yaml` are used. */
  port: PortChoice;
  consolePort: PortChoice;
  sitePort: PortChoice;
  /** Whether to report type errors, using the project's own TypeScript version. */
  typecheck: boolean;
  /** Whether to wait for a fix if the first build is broken. */
  patient: boolean;
  /** The folder that contains the first space's pages. If this is undefined, the folder in `platform.dev.yaml` is used. */
  contentFolder: string | undefined;
  state: 'disk' | 'memory';
  /** Whether to hide the session from other terminals. Such a session writes nothing to the project. */
  unlisted?: true;
  /** Whether to refuse outbound requests, except those to hosts that `platform.dev.yaml` maps to this machine. */
  refuseOutbound?: boolean;
  fresh: boolean;
  install: boolean;
  scopes: 'warn' | 'enforce';
  oauth: ConsentMode;
  oauthProvider: 'local' | 'real';
  publicUrl: string | undefined;
  timeoutMs: number | undefined;
  inspect: number | undefined;
  /** If this is undefined, the runtime in `platform.dev.yaml` is used. */
  runtime: RuntimeName | undefined;
  clock: SystemClock;
  /** The time that the session starts with, if it is not the clock's. */
  startAt: number | undefined;
  timers: Timers;
  signal: AbortSignal;
  platform: string;
  process: { pid: number; userId: number | undefined; node: string; isRunning(pid: number): boolean };
  package: { folder: string; version: string };
  /** Returns the marketplace findings for the current project. */
  listing: NonNullable<PlatformOptions['listing']>;
  /** Saves calls to a recording. */
  record: NonNullable<PlatformOptions['record']>;
  /** Runs failed calls again with the current code. */
  replayFailures: NonNullable<PlatformOptions['replayFailures']>;
  /** Whether to keep a process ready for the next build. Default: true. */
  standby?: boolean;
  /** Returns the integrations of the session, if there are several. */
  integrations?: NonNullable<PlatformOptions['integrations']>;
  /** Finds storms of the whole session. */
  storms?: NonNullable<PlatformOptions['storms']>;
  /** The console's key, which is new in each session and exists only in memory. */
  token: string;
  /** The site's key. It lets readers use the site but gives no other access. */
  siteKey: string;
}

/** The origins of the ports as scripts see them. */
export interface Origins {
  origin: string;
  consoleOrigin: string;
}

export const outboundRules = (
  {
    oauthProvider,
    publicUrl,
    refuseOutbound,
  }: Pick<SessionOptions, 'oauthProvider' | 'publicUrl' | 'refuseOutbound'>,
  { recordOutboundDetails = true, outbound }: DevSettings,
  { origin, consoleOrigin }: Origins,
  tokenQuery = '',
): OutboundRules => {
  const map = refuseOutbound ? { hosts: {}, ...outbound, rest: 'refuse' as const } : outbound;
  return {
    reroutes: oauthProvider === 'local' ? tokenReroutes(consoleOrigin, tokenQuery) : [],
    details: recordOutboundDetails,
    own: `${origin}/`,
    ...(map && { map: { ...map, spared: sparedOrigins(publicUrl, origin, consoleOrigin) } }),
  };
};

/** Returns the platform's own origins, including the origin of a tunnel. */
const sparedOrigins = (publicUrl: string | undefined, ...own: string[]): string[] =>
  publicUrl === undefined ? own : [...own, new URL(publicUrl).origin];

/** Returns the lines that `dev` prints about the `outbound` map, one per host. */
export function outboundNotices({ outbound }: DevSettings): string[] {
  if (!outbound) return [];
  const mapped = Object.entries(outbound.hosts).map(([host, double]) => {
    const secrets =
      double.to === undefined
        ? ''
        : double.credentials === 'real'
          ? ', with real secrets'
          : ', with made-up secrets';
    const verb = double.to === undefined ? 'return' : 'go to';
    return `Requests to ${host} ${verb} ${describeDouble(double)}${secrets} (platform.dev.yaml).`;
  });
  if (outbound.rest === 'pass') return mapped;
  return [...mapped, 'Requests to other hosts are refused (platform.dev.yaml).'];
}

export const limitsOf = (
  { inspect, timeoutMs = defaultTimeoutMs }: SessionOptions,
  { limits }: DevSettings,
): CallLimits => chooseLimits(limits, inspect === undefined ? timeoutMs : undefined);

/** Returns the options that do not depend on other parts of the session. */
export function platformOptions(
  options: SessionOptions,
  settings: DevSettings,
  current: () => Integration,
): Omit<PlatformOptions, 'host' | 'origin' | 'consoleOrigin'> {
  const {
    timers,
    listing,
    record,
    replayFailures,
    integrations,
    storms,
    scopes,
    oauth,
    oauthProvider,
    install,
    publicUrl,
    environment,
  } = options;
  const folder = dirname(options.manifestFile);
  const editor = chooseEditor(settings.editor, { env: options.env, folder });
  return {
    timers,
    listing,
    record,
    replayFailures,
    ...(integrations && { integrations }),
    ...(storms && { storms }),
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
    folder: realpathSync(folder),
    publicFolder: join(folder, 'public'),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(environment !== undefined && { environment }),
  };
}
