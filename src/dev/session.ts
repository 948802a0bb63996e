import type { Profile } from '../profiles/profile.js';
import { errorMessage } from '../base/text/error-message.js';
import { createMovableClock } from '../base/movable-clock.js';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openPlatform, openRecords, type Emulator } from '../emulator/index.js';
import { ScriptRunner, type RuntimeFacts, type ProcessPool } from '../sandbox/index.js';
import type { OpenSite, Site, SiteOptions } from '../site/site-options.js';
import type { Builder } from './reload/builder.js';
import { startTypeCheck } from './check-types.js';
import { createFileChanges, type FileChanges } from './reload/file-changes.js';
import { closePatiently, type Closing } from './closing.js';
import { createMount } from './mount-content.js';
import { openPorts } from './open-ports.js';
import { openState } from './open-state.js';
import { firstProject } from './reload/load-project.js';
import { scriptIsBeingBuilt, createReloader } from './reload/reloader.js';
import { chooseProcesses } from './settings/choose-runtime.js';
import { firstSettings, createSettingsCheck } from './settings/follow-settings.js';
import type { SessionEvent } from './events/session-event.js';
import {
  limitsOf,
  outboundRules,
  platformOptions,
  type SessionOptions,
  type Origins,
} from './session-options.js';
import { createEventTeller } from './tell-events.js';
import { consoleLink, siteLink, stateFolderOf, type SessionClaim } from './claim-session.js';
import {
  warnOfDebugger,
  warnOfEditor,
  warnOfEnvFiles,
  warnOfOutbound,
  warnOfPorts,
} from './warn-at-start.js';
import { devSettingsFileName, type DevSettings } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';

/** The parts that were started before this module was loaded. */
export interface EarlySession {
  claim: SessionClaim;
  /** A Node process for the first script, started early only if the script is certain to run in Node. */
  processes: ProcessPool | undefined;
  builder: Builder;
  closing: Closing;
  /** When the session started. */
  began: number;
}

export interface Session {
  /** The manifest's folder. */
  folder: string;
  origin: string;
  consoleOrigin: string;
  siteOrigin: string;
  /** The path of the file that commands use to find this session. */
  file: string;
  /** The session that commands in other terminals use instead of this one, because it started earlier. */
  first: { origin: string; pid: number } | undefined;
  /** The URL that opens the console. It contains this session's key, so only the author may see it. */
  consoleLink: string;
  /** The URL that opens the site. It contains the site's own key. */
  siteLink: string;
  /** The default port, if it was already in use. */
  takenPort: number | undefined;
  /** The folders that are served as pages, apart from the sample pages. */
  mounted: readonly string[];
  emulator: Emulator;
  runtime: RuntimeFacts;
  /** Whether the script may import Node's modules. */
  nodeModules: boolean;
  /** Set if the project was made for another platform. */
  profile: Profile | undefined;
  integration(): Integration;
  /** Resolves when the setup events of the first build have been handled. */
  started(): Promise<void>;
  hasScript(): boolean;
  /** Opens another instance of the site, which renders blocks with `render`. */
  openStaticSite(render: Emulator['render']): Site;
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts all parts of the session that were not started before this module was loaded. Resolves to undefined if the session
 * was interrupted, or if the project is broken and the session may not wait.
 */
export async function openSession(
  options: SessionOptions,
  early: EarlySession,
  toTerminal: (event: SessionEvent) => void,
): Promise<Session | undefined> {
  const { claim, builder, closing } = early;
  const { timers, patient, token, siteKey } = options;
  const clock = createMovableClock(options.clock);
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
  const { runtime, nodeModules, processes } = await chooseProcesses(options, settings, early.processes);
  closing.add(() => processes.close());
  warnOfDebugger(options, runtime, tell);
  warnOfOutbound(settings, tell);
  warnOfPorts(settings, tell);
  warnOfEditor(settings, tell);
  if (nodeModules) builder.keepNodeModules();

  // The order is the same as in `open-platform.ts`. Each part receives the parts that were created before it.
  const { serve, close: closePorts, ...ports } = await openPorts(options, settings);
  closing.add(closePorts);
  const store = openState({ ...options, clock }, stateFolderOf(folder), (error) =>
    tell({ type: 'warning', code: 'store', message: errorMessage(error) }),
  );
  closing.add(store.close);
  // The ports are already open, but must close before the store, because their last requests still use it.
  closing.add(closePorts);
  const records = openRecords({
    store,
    clock,
    integration: project.manifest.integration,
    workspace: settings.workspace,
    limits: limitsOf(options, settings),
    token,
  });
  if (options.startAt !== undefined)
    records.registry.update({ clockAhead: options.startAt - options.clock.now() });
  const runner = new ScriptRunner({
    processes,
    observer: records.observer,
    outbound: outboundRules(options, settings, ports),
    timers,
    now: clock.now,
    ahead: clock.ahead,
    timeoutOption: '--timeout',
    noScript: scriptIsBeingBuilt,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  // The runner closes before the ports, so that the script's last `waitUntil` work can still use the API.
  closing.add(() => runner.close());
  const { integration } = records.registry;
  const mount = await createMount({ ...options, clock }, settings, integration(), tell);
  closing.add(mount.close);
  const emulator = openPlatform(records, {
    ...platformOptions(options, settings, integration),
    ...ports,
    mount: mount.open,
    host: runner,
    movable: clock,
    siteLink: siteLink({ siteOrigin: ports.siteOrigin, siteKey }),
    runtime: 'version' in runtime ? `${runtime.name} ${runtime.version}` : 'Node',
  });
  closing.add(emulator.close);
  closing.add(emulator.subscribe(toTerminal));
  teller.showIn(emulator);
  const siteOptions: SiteOptions = {
    folder: join(options.package.folder, 'dist/site'),
    origin: ports.siteOrigin,
    key: siteKey,
    timers,
    now: clock.now,
    platform: { ...emulator, integration },
  };
  const site = createSiteLoader(siteOptions);
  closing.add(site.close);
  serve(emulator, site.fetch);

  let started: Promise<void> | undefined;
  const rebuild = await followChanges(
    { options, early, settings, origins: ports, watcher, runner, tell },
    (next, build) => {
      emulator.reload(next, build);
      mount.revise(next);
      started ??= reported(emulator.start(), tell);
    },
  );
  if (options.typecheck) closing.add(startTypeCheckOf(options, tell));
  if (options.signal.aborted || (teller.hasBroken() && !patient)) return undefined;
  const { origin, consoleOrigin, siteOrigin } = ports;
  claim.announce({ origin, consoleOrigin, siteOrigin, siteKey });
  if (!options.unlisted) mount.check();
  return {
    folder,
    file: claim.file,
    first: claim.first,
    ...ports,
    consoleLink: consoleLink({ consoleOrigin, token }),
    siteLink: siteLink({ siteOrigin, siteKey }),
    mounted: mount.mounted,
    emulator,
    runtime,
    nodeModules: nodeModules && !project.manifest.profile,
    profile: project.manifest.profile,
    integration,
    started: async () => started,
    openStaticSite: (render) =>
      createSiteLoader({ ...siteOptions, isStatic: true, platform: { ...siteOptions.platform, render } }),
    hasScript: () => integration().script !== undefined,
    rebuild,
    close: () => closePatiently(closing, { runner, timers, tell }),
  };
}

/** Also reports a failed start here, because only `--exec` waits for the start. */
function reported(start: Promise<void>, tell: (event: SessionEvent) => void): Promise<void> {
  start.catch((error: unknown) => tell({ type: 'warning', code: 'store', message: errorMessage(error) }));
  return start;
}

const startTypeCheckOf = (options: SessionOptions, tell: (event: SessionEvent) => void): (() => void) =>
  startTypeCheck({
    folder: dirname(options.manifestFile),
    node: options.process.node,
    report: (diagnostics) => tell({ type: 'checked', by: 'types', diagnostics, sources: new Map() }),
    fail: (message) => tell({ type: 'warning', code: 'typecheck', message }),
  });

/**
 * The site's server uses Preact to render pages. No command needs Preact at startup, so the server is in a separate
 * bundle that the first request loads.
 */
function createSiteLoader(options: SiteOptions): Site {
  let site: Site | undefined;
  const load = (): Site => {
    const { openSite } = createRequire(import.meta.url)(join(options.folder, 'index.cjs')) as {
      openSite: OpenSite;
    };
    return openSite(options);
  };
  return { fetch: (request) => (site ??= load()).fetch(request), close: () => site?.close() };
}

interface Following {
  options: SessionOptions;
  early: { builder: Builder; began: number; closing: Closing };
  settings: DevSettings;
  origins: Origins;
  watcher: FileChanges;
  runner: ScriptRunner;
  tell(event: SessionEvent): void;
}

/** Builds now and whenever a file changes. Returns a function that rebuilds on demand. */
async function followChanges(
  { options, early, settings, origins, watcher, runner, tell }: Following,
  accept: (integration: Integration, build: string) => void,
): Promise<() => Promise<void>> {
  const { builder, began, closing } = early;
  const folder = dirname(options.manifestFile);
  const reloader = createReloader({
    options,
    builder,
    runner,
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
  const warn = (error: unknown): void => tell({ type: 'warning', code: 'bug', message: String(error) });
  const checkSettings = createSettingsCheck(folder, settings, tell, (changed) => {
    runner.changeOutbound(outboundRules(options, changed, origins));
    warnOfOutbound(changed, tell);
    reloader.rebuild().catch(warn);
  });
  watcher.follow(() => {
    reloader.reload().catch(warn);
    // Waits until the build is running before checking the settings.
    setImmediate(checkSettings);
  });
  await reloader.reload();
  await reloader.placed();
  return reloader.rebuild;
}
