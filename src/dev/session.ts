import { errorMessage } from '../base/text/error-message.js';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  chooseLimits,
  createConsoleFiles,
  openPlatform,
  openRecords,
  tokenReroutes,
  type Emulator,
  type PlatformOptions,
  type RecordsOptions,
} from '../emulator/index.js';
import { dotenvFiles, devSettingsFileName, type DevSettings, type RuntimeName } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import type { ConsentMode } from '../protocol/oauth/oauth-outcomes.js';
import type { Clock, Timers } from '../base/clock.js';
import { allowsNodeModules, type RuntimeFacts } from './settings/choose-runtime.js';
import { defaultTimeoutMs, type Sandbox } from '../sandbox/index.js';
import type { OutboundRules, ScriptObserver } from '../sandbox/script-host.js';
import { createMemoryStore, type Store } from '../store/store.js';
import { openStore } from '../store/open-store.js';
import type { Builder } from './reload/builder.js';
import { envFileWarning } from './check-env-file.js';
import { startTypeCheck } from './check-types.js';
import { createFileChanges, type FileChanges } from './reload/file-changes.js';
import { closePatiently, type Closing } from './closing.js';
import type { PortChoice } from './open-port.js';
import { openSessionPorts } from './open-session-ports.js';
import { checkPrivateFile } from './private-file.js';
import { loadProject, type Project, type ProjectOptions } from './reload/load-project.js';
import { createReloader } from './reload/reloader.js';
import { createBuiltSources, createCurrentScript, type CurrentScript } from './current-script.js';
import { createSettingsCheck, firstSettings } from './settings/follow-settings.js';
import type { SessionEvent } from './session-event.js';
import { createEventTeller } from './tell-events.js';
import { stateFolderOf, type SessionClaim, type SessionRecord } from './claim-session.js';

export interface SessionOptions extends ProjectOptions {
  /** If undefined, `platform.dev.yaml` sets the ports. */
  port: PortChoice;
  consolePort: PortChoice;
  /** Whether to report type errors, using the project's own TypeScript. */
  typecheck: boolean;
  /** Whether to wait if the first build is broken, until it is fixed. */
  patient: boolean;
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
}

/** The script's process, which starts before the platform that observes it. */
export interface EarlyScript {
  sandbox: Sandbox;
  observer?: ScriptObserver;
  outbound: OutboundRules;
  /** Decides which runtime the script uses, before the first script is loaded. */
  chooseRuntime(settings: DevSettings): Promise<RuntimeFacts>;
}

export interface EarlySession {
  claim: SessionClaim;
  script: EarlyScript;
  builder: Builder;
  closing: Closing;
  /** The start time. */
  began: number;
}

export interface Session {
  /** The manifest's folder. */
  folder: string;
  origin: string;
  consoleOrigin: string;
  /** Opens the console with this session's key, so only the author may see it. */
  consoleLink: string;
  /** The default port, if it was in use. */
  takenPort: number | undefined;
  emulator: Emulator;
  runtime: RuntimeFacts;
  /** The title in the current manifest. */
  title(): string;
  /** Resolves when the setup events of the first build have been handled. */
  started(): Promise<void>;
  hasScript(): boolean;
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the rest of the session: everything that was not started before this module was loaded. Resolves to
 * nothing if it was interrupted, or if the project is broken and the session was not asked to wait.
 */
export async function openSession(
  options: SessionOptions,
  early: EarlySession,
  toTerminal: (event: SessionEvent) => void,
): Promise<Session | undefined> {
  const { claim, script, builder, closing } = early;
  const { clock, timers, patient, token } = options;
  const folder = dirname(options.manifestFile);
  const teller = createEventTeller({ folder, clock, builder, toTerminal });
  const { tell } = teller;
  closing.add(teller.close);
  warnOfEnvFiles(options, tell);

  const watcher = createFileChanges(options.signal);
  closing.add(watcher.close);
  const waiting = patient ? watcher : undefined;
  const project = await firstProject(options, waiting, tell);
  const settings = project && (await firstSettings(folder, waiting, tell));
  if (!settings) return undefined;
  const runtime = await script.chooseRuntime(settings);
  warnOfDebugger(options, runtime, tell);
  if (allowsNodeModules(runtime)) builder.keepNodeModules();
  const store = openState(options, stateFolderOf(folder), (error) =>
    tell({ type: 'warning', code: 'store', message: errorMessage(error) }),
  );
  closing.add(store.close);
  // Still records what the script logs while it ends.
  closing.add(script.sandbox.close);

  const { serve, ...ports } = await openSessionPorts(options, settings, closing);
  const { origin, consoleOrigin } = ports;
  script.outbound = outboundRules(options, settings, ports);

  let { integration } = project.manifest;
  const sources = createBuiltSources();
  const records = openRecords({
    store,
    clock,
    integration,
    workspace: settings.workspace,
    limits: limitsOf(options, settings),
    token,
    sourceOf: sources.of,
  });
  script.observer = records.observer;
  const host = createCurrentScript(script.sandbox, sources);
  const emulator = openPlatform(records, {
    ...platformOptions(options, () => integration),
    host,
    scriptBytes: host.scriptBytes,
    origin,
    consoleOrigin,
  });
  closing.add(emulator.close);
  closing.add(emulator.subscribe(toTerminal));
  teller.showIn(emulator);
  serve(emulator);

  let started: Promise<void> | undefined;
  const rebuild = await startReloading(
    { options, early, settings, watcher, slot: host, tell },
    (next, build) => {
      integration = next;
      emulator.reload(next, build);
      started ??= reported(emulator.start(), tell);
    },
  );
  if (options.typecheck) closing.add(startTypeCheckOf(options, tell));
  if (options.signal.aborted || (teller.hasBroken() && !patient)) return undefined;
  claim.announce({ origin, consoleOrigin });
  return {
    folder,
    ...ports,
    consoleLink: consoleLink({ consoleOrigin, token }),
    emulator,
    runtime,
    title: () => integration.title,
    started: async () => started,
    hasScript: () => integration.script !== undefined,
    rebuild,
    close: () => closePatiently(closing, { sandbox: script.sandbox, timers, tell }),
  };
}

/** Only --exec waits for the start, so its failure is reported too. */
function reported(start: Promise<void>, tell: (event: SessionEvent) => void): Promise<void> {
  start.catch((error: unknown) => tell({ type: 'warning', code: 'store', message: errorMessage(error) }));
  return start;
}

const outboundRules = (
  { oauthProvider }: SessionOptions,
  { recordOutboundDetails = true }: DevSettings,
  { origin, consoleOrigin }: Pick<Session, 'origin' | 'consoleOrigin'>,
): OutboundRules => ({
  reroutes: oauthProvider === 'local' ? tokenReroutes(consoleOrigin) : [],
  details: recordOutboundDetails,
  api: `${origin}/api/`,
});

/** Debuggers send no key, so anyone who can connect can attach. */
function warnOfDebugger(
  { inspect }: SessionOptions,
  { name }: RuntimeFacts,
  tell: (event: SessionEvent) => void,
): void {
  if (inspect === undefined) return;
  const power = name === 'node' ? 'run code as you' : "read the script's secrets and control it";
  const message = `Any user of this machine can attach to the debugger on port ${inspect} and ${power}.`;
  tell({ type: 'warning', code: 'debugger', message });
}

function warnOfEnvFiles(options: SessionOptions, tell: (event: SessionEvent) => void): void {
  for (const file of dotenvFiles({ file: options.manifestFile, ...options })) {
    const message = envFileWarning(file, options.process.userId);
    if (message !== undefined) tell({ type: 'warning', code: 'env-file', message });
  }
}

const limitsOf = (
  { inspect, timeoutMs = defaultTimeoutMs }: SessionOptions,
  { limits }: DevSettings,
): NonNullable<RecordsOptions['limits']> =>
  chooseLimits(limits, inspect === undefined ? timeoutMs : undefined);

/** What does not depend on another part of the session. */
function platformOptions(
  options: SessionOptions,
  current: () => Integration,
): Omit<PlatformOptions, 'host' | 'origin' | 'consoleOrigin'> {
  const { timers, listing, scopes, oauth, oauthProvider, install, publicUrl } = options;
  const folder = dirname(options.manifestFile);
  return {
    timers,
    listing,
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

interface Reloading {
  options: SessionOptions;
  early: EarlySession;
  settings: DevSettings;
  watcher: FileChanges;
  slot: CurrentScript;
  tell(event: SessionEvent): void;
}

/** Builds now, and again whenever a file changes. Returns a function that rebuilds on demand. */
async function startReloading(
  { options, early: { builder, began, closing }, settings, watcher, slot, tell }: Reloading,
  accept: (integration: Integration, build: string) => void,
): Promise<() => Promise<void>> {
  const folder = dirname(options.manifestFile);
  const reloader = createReloader({
    options,
    builder,
    slot,
    clock: options.clock,
    began,
    tell,
    changes: {
      watch: (files) => watcher.watch([...files, join(folder, devSettingsFileName)]),
      count: watcher.count,
    },
    accept,
  });
  closing.add(reloader.close);
  const checkSettings = createSettingsCheck(folder, settings, tell);
  watcher.follow(() => {
    reloader
      .reload()
      .catch((error: unknown) => tell({ type: 'warning', code: 'bug', message: String(error) }));
    // Deferred until the build is running.
    setImmediate(checkSettings);
  });
  await reloader.reload();
  await reloader.placed();
  return reloader.rebuild;
}

const startTypeCheckOf = (options: SessionOptions, tell: (event: SessionEvent) => void): (() => void) =>
  startTypeCheck({
    folder: dirname(options.manifestFile),
    node: options.process.node,
    report: (diagnostics) => tell({ type: 'checked', by: 'types', diagnostics, sources: new Map() }),
    fail: (message) => tell({ type: 'warning', code: 'typecheck', message }),
  });

function openState(
  { state, fresh, clock, process }: SessionOptions,
  folder: string,
  onLogError: (error: unknown) => void,
): Store {
  if (state === 'memory') return createMemoryStore(clock);
  const file = join(folder, 'state.db');
  for (const path of ['', '-wal', '-shm', '-owner'].map((suffix) => file + suffix)) {
    if (fresh) rmSync(path, { force: true, recursive: true });
    checkPrivateFile(path, process.userId);
  }
  return openStore({ file, clock, onLogError });
}

/** Without a valid manifest there is no integration. A session that may wait does so until there is one. */
async function firstProject(
  options: ProjectOptions,
  waiting: FileChanges | undefined,
  tell: (event: SessionEvent) => void,
): Promise<Project | undefined> {
  for (;;) {
    const { project, diagnostics, sources, files } = loadProject(options);
    if (project) return project;
    tell({ type: 'broken', what: 'manifest', diagnostics, sources });
    if (!waiting) return undefined;
    waiting.watch(files);
    await waiting.next();
  }
}

/** The key is in the fragment, which browsers do not send. `view` is a path below `/console/`. */
export const consoleLink = (
  { consoleOrigin, token }: Required<Pick<SessionRecord, 'consoleOrigin' | 'token'>>,
  view = '',
): string => `${consoleOrigin}/${view && `console/${view}`}#key=${token}`;
