import { dirname, join } from 'node:path';
import { createMovableClock } from '../base/movable-clock.js';
import { errorMessage } from '../base/text/error-message.js';
import { openPlatform, openRecords } from '../emulator/index.js';
import { devSettingsFileName, type DevSettings } from '../manifest/index.js';
import { readFolder } from '../manifest/read/glob.js';
import type { Integration } from '../protocol/integration.js';
import { urlAtDouble } from '../protocol/outbound-map.js';
import type { Workspace } from '../protocol/workspace.js';
import { ScriptRunner, type NoScript, type ProcessPool } from '../sandbox/index.js';
import type { Store } from '../store/store.js';
import { startTypeCheck } from './check-types.js';
import { siteLink, stateFolderOf } from './claim-session.js';
import type { Closing } from './closing.js';
import type { SessionEvent } from './events/session-event.js';
import type { Mount } from './mount-content.js';
import type { Builder } from './reload/builder.js';
import { createFileChanges, type FileChanges } from './reload/file-changes.js';
import { buildSettings } from './reload/installed-packages.js';
import { firstProject } from './reload/load-project.js';
import { scriptIsBeingBuilt, createReloader } from './reload/reloader.js';
import { createRememberedHandlers } from './remembered-handlers.js';
import {
  limitsOf,
  outboundRules,
  platformOptions,
  type Origins,
  type SessionOptions,
} from './session-options.js';
import { chooseProcesses } from './settings/choose-runtime.js';
import { createSettingsCheck, firstSettings } from './settings/follow-settings.js';
import { createSleepingScript, type AwakeLimit } from './sleeping-script.js';
import { createEventTeller } from './tell-events.js';
import {
  warnOfDebugger,
  warnOfEditor,
  warnOfEnvFiles,
  warnOfOutbound,
  warnOfPorts,
} from './warn-at-start.js';

/** The parts of a member that were started before this module was loaded. */
export interface EarlyMember {
  /** A Node process for the first script, started early only if the script is certain to run in Node. */
  processes: ProcessPool | undefined;
  builder: Builder;
  closing: Closing;
  /** When the session started. */
  began: number;
}

export type ReadMember = NonNullable<Awaited<ReturnType<typeof readMember>>>;
export type Member = Awaited<ReturnType<typeof openMember>>;

/**
 * Reads the manifest and the settings of one integration. Resolves to undefined if they are broken and the session may
 * not wait.
 */
export async function readMember(
  options: SessionOptions,
  early: EarlyMember,
  toTerminal: (event: SessionEvent) => void,
) {
  const { builder, closing } = early;
  const clock = createMovableClock(options.clock);
  const folder = dirname(options.manifestFile);
  const teller = createEventTeller({ folder, clock, builder, toTerminal });
  const { tell } = teller;
  closing.add(teller.close);
  warnOfEnvFiles(options, tell);

  const watcher = createFileChanges(options.signal);
  closing.add(watcher.close);
  const waiting = options.patient ? watcher : undefined;
  const project = await firstProject(options, waiting, tell);
  const settings = project && (await firstSettings(folder, waiting, tell));
  if (!settings) return undefined;
  const chosen = await chooseProcesses(options, settings, early.processes);
  closing.add(() => chosen.processes.close());
  warnOfDebugger(options, chosen.runtime, tell);
  warnOfOutbound(settings, tell);
  warnOfPorts(settings, tell);
  warnOfEditor(settings, tell);
  if (chosen.nodeModules) builder.keepNodeModules();
  return { ...chosen, clock, folder, teller, watcher, project, settings, toTerminal };
}

interface Surroundings {
  ports: Origins & { siteOrigin: string };
  /** Must be closed after the ports, because their last requests still use it. */
  store: Store;
  workspace: Workspace;
  createMount(integration: Integration): Promise<Mount>;
  /** If set, the script is built and started when it is first called or saved. */
  limit?: AwakeLimit;
  /** Identifies the member at the token endpoint of the OAuth provider, if there are several. */
  tokenQuery?: string;
}

/**
 * Opens the platform of one integration. The order is the same as in `open-platform.ts`. Each part receives the parts that
 * were created before it.
 */
export async function openMember(
  options: SessionOptions,
  early: EarlyMember,
  read: ReadMember,
  { ports, store, workspace, createMount, limit, tokenQuery = '' }: Surroundings,
) {
  const { closing } = early;
  const { timers, token, siteKey, patient } = options;
  const { clock, folder, teller, project, settings, runtime, nodeModules, processes } = read;
  const { tell } = teller;
  const records = openRecords({
    store,
    clock,
    integration: project.manifest.integration,
    workspace,
    limits: limitsOf(options, settings),
    token,
  });
  if (options.startAt !== undefined)
    records.registry.update({ clockAhead: options.startAt - options.clock.now() });
  const rulesOf = (changed: DevSettings) => outboundRules(options, changed, ports, tokenQuery);
  const runner = new ScriptRunner({
    processes,
    observer: records.observer,
    outbound: rulesOf(settings),
    timers,
    now: clock.now,
    ahead: clock.ahead,
    timeoutOption: '--timeout',
    noScript: scriptIsBeingBuilt,
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  const handlers = createRememberedHandlers({
    file: options.state === 'memory' ? undefined : join(stateFolderOf(folder), 'handlers.json'),
    userId: options.process.userId,
    platformVersion: options.package.version,
    around: () => ({
      read: [options.manifestFile, ...buildSettings(folder)],
      named: project.entry ? filesAround(project.entry) : [],
    }),
  });
  const sleeping = limit && createSleepingScript(runner, limit, handlers);
  // The runner closes before the ports, so that the script's last `waitUntil` work can still use the API.
  closing.add(() => runner.close());
  const { integration } = records.registry;
  const mount = await createMount(integration());
  closing.add(mount.close);
  const emulator = openPlatform(records, {
    ...platformOptions(options, settings, integration),
    ...ports,
    mount: mount.open,
    host: sleeping?.host ?? runner,
    movable: clock,
    doubleOf: (location) => {
      const { map } = runner.outbound;
      return map && !map.spared.includes(location.origin) ? urlAtDouble(map, location) : undefined;
    },
    siteLink: siteLink({ siteOrigin: ports.siteOrigin, siteKey }),
    runtime: 'version' in runtime ? `${runtime.name} ${runtime.version}` : 'Node',
  });
  closing.add(emulator.close);
  closing.add(emulator.subscribe(read.toTerminal));
  teller.showIn(emulator);

  let started: Promise<void> | undefined;
  /** What went live last. */
  let live = '';
  /** Whether the build that went live is the one that slept. */
  let unchanged = false;
  const reloader = followChanges(
    { options, early, read, rulesOf, runner, sleeping },
    (next, build, inputs) => {
      const now = JSON.stringify([build, next]);
      unchanged = sleeping?.isWaking() === true && now === live;
      live = now;
      if (unchanged) return;
      emulator.reload(next, build);
      mount.revise([next]);
      if (sleeping) handlers.adopt(inputs, runner.definedIds());
      started ??= reported(emulator.start(), tell);
    },
    (event) => {
      if (event.type !== 'built' || !unchanged) tell(event);
    },
  );
  const isInstalled = emulator.primary().installation !== undefined;
  return {
    folder,
    emulator,
    runner,
    runtime,
    nodeModules: nodeModules && !project.manifest.profile,
    profile: project.manifest.profile,
    integration,
    mounted: mount.mounted,
    tell,
    /** Builds the script now and whenever a file changes. Resolves to false if it is broken and the session may not wait. */
    async build() {
      if (!sleeping) await reloader.start();
      else if (!patient) await sleeping.wake();
      else if (isInstalled || !options.install) started = reported(emulator.start(), tell);
      // The setup events of the first installation need the script.
      else void sleeping.wake();
      if (options.typecheck && !options.signal.aborted) closing.add(startTypeCheckOf(options, tell));
      return patient || !teller.hasBroken();
    },
    check: mount.check,
    /** Resolves when the setup events of the first build have been handled. */
    started: async () => started,
    /** Whether the script is being started because of a call, so nothing that users see has changed. */
    isWaking: () => sleeping?.isWaking() ?? false,
    rebuild: reloader.rebuild,
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

interface Following {
  options: SessionOptions;
  early: EarlyMember;
  read: Pick<ReadMember, 'folder' | 'settings' | 'project'> & { watcher: FileChanges };
  rulesOf(settings: DevSettings): ReturnType<typeof outboundRules>;
  runner: ScriptRunner;
  sleeping: ReturnType<typeof createSleepingScript> | undefined;
}

/** The reason for calls if a script that slept cannot be built again. */
const asleep: NoScript = {
  ...scriptIsBeingBuilt,
  error: 'The script is not running because its build failed. The output of platform dev shows why.',
};

/** Builds whenever a file changes. A script that sleeps is started then. */
function followChanges(
  { options, early, read, rulesOf, runner, sleeping }: Following,
  accept: (integration: Integration, build: string, inputs: readonly string[]) => void,
  tell: (event: SessionEvent) => void,
) {
  const { builder, began, closing } = early;
  const { folder, settings, watcher, project } = read;
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
    runner.changeOutbound(rulesOf(changed));
    warnOfOutbound(changed, tell);
    rebuild().catch(warn);
  });
  const start = async (): Promise<void> => {
    reloader.forget();
    await reloader.reload();
    await reloader.placed();
  };
  // A script that sleeps is built from the current files in any case.
  const rebuild = async (): Promise<void> => (sleeping?.isAwake() === false ? undefined : reloader.rebuild());
  sleeping?.control({
    start,
    async stop() {
      runner.unload(asleep);
      reloader.forget();
      await builder.rest();
    },
  });
  if (sleeping) watcher.watch([options.manifestFile, ...(project.entry ? filesAround(project.entry) : [])]);
  watcher.follow(() => {
    const built = sleeping?.isAwake() === false ? sleeping.wake() : reloader.reload();
    void built.catch(warn).then(checkSettings);
  });
  return { start, rebuild };
}

/** How many files around a script are watched before it is first built. Afterwards, it is known which files it consists of. */
const mostAround = 500;

/** Returns the files in the folder of a script and in its subfolders. */
function filesAround(entry: string): string[] {
  const folders = [dirname(entry)];
  const files: string[] = [];
  for (const folder of folders)
    for (const found of readFolder(folder)) {
      if (found.name.startsWith('.') || found.name === 'node_modules') continue;
      (found.isDirectory() ? folders : files).push(join(folder, found.name));
      if (files.length >= mostAround) return files;
    }
  return files;
}
