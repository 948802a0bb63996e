import { errorMessage } from '../base/text/error-message.js';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createConsoleFiles,
  createEmulator,
  listen,
  tokenReroutes,
  type Emulator,
  type EmulatorOptions,
} from '../emulator/index.js';
import { UserError } from '../base/user-error.js';
import { dotenvFiles, devSettingsFileName, type DevSettings, type RuntimeName } from '../manifest/index.js';
import type { BuildReport } from '../protocol/build-report.js';
import type { Clock } from '../base/clock.js';
import { hasNodeModules, type RuntimeFacts } from './settings/choose-runtime.js';
import type { Sandbox } from '../sandbox/index.js';
import type { OutboundReroute, ScriptObserver } from '../sandbox/script-host.js';
import { createMemoryStore, type Store } from '../store/store.js';
import { openStore } from '../store/open-store.js';
import type { Builder } from './reload/builder.js';
import { envFileWarning } from './check-env-file.js';
import { startTypeCheck } from './check-types.js';
import { createSourceCheck } from './check-sources.js';
import { createFileChanges, type FileChanges } from './reload/file-changes.js';
import type { Closing } from './close-in-reverse.js';
import { openPort, type PortChoice } from './open-port.js';
import { checkPrivateFile } from './private-file.js';
import { loadProject, type Project, type ProjectOptions } from './reload/load-project.js';
import { createReloader } from './reload/reloader.js';
import { reportBuild } from './reload/build-report.js';
import { createCurrentScript } from './absent-script.js';
import { createSettingsCheck, firstSettings } from './settings/follow-settings.js';
import type { SessionEvent } from './session-event.js';
import { stateFolderOf, type SessionClaim, type SessionRecord } from './claim-session.js';

export interface SessionOptions extends ProjectOptions {
  /** `platform.dev.yaml` names the ports where these do not. */
  port: PortChoice;
  consolePort: PortChoice;
  /** Type errors are reported, by the project's own TypeScript. */
  typecheck: boolean;
  /** Waits until what is broken at the start is mended. */
  patient: boolean;
  state: 'disk' | 'memory';
  fresh: boolean;
  install: boolean;
  scopes: 'warn' | 'enforce';
  oauth: 'approve' | 'deny' | 'ask';
  oauthProvider: 'local' | 'real';
  publicUrl: string | undefined;
  timeoutMs: number | undefined;
  inspect: number | undefined;
  /** `platform.dev.yaml` names it where this does not. */
  runtime: RuntimeName | undefined;
  clock: Clock;
  signal: AbortSignal;
  process: { pid: number; userId: number | undefined; node: string; isRunning(pid: number): boolean };
  /** Where this package is, and which one it is. */
  package: { folder: string; version: string };
  /** The marketplace's findings on the project as it is now. */
  listing: NonNullable<EmulatorOptions['listing']>;
  /** The key of the console: new at each start, and kept in memory. */
  token: string;
}

/** The process of the script, from before there is a platform that observes it. */
export interface EarlyScript {
  sandbox: Sandbox;
  observer?: ScriptObserver;
  reroutes: OutboundReroute[];
  /** Decides what runs the script, before the first one is loaded. */
  chooseRuntime(settings: DevSettings): Promise<RuntimeFacts>;
}

export interface EarlySession {
  claim: SessionClaim;
  script: EarlyScript;
  builder: Builder;
  closing: Closing;
  /** When it began. */
  began: number;
}

export interface Session {
  /** Where the manifest is. */
  folder: string;
  origin: string;
  consoleOrigin: string;
  /** The console with the key of this start: for the author's eyes only. */
  consoleLink: string;
  /** The usual port, where it was taken. */
  takenPort: number | undefined;
  emulator: Emulator;
  runtime: RuntimeFacts;
  /** The title that the manifest has now. */
  title(): string;
  /** Resolves when the setup events of the first start have been handled. */
  started(): Promise<void>;
  hasScript(): boolean;
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

/** All of a session but what was started before this was loaded. Nothing where what is broken was not waited for. */
export async function openSession(
  options: SessionOptions,
  { claim, script, builder, closing, began }: EarlySession,
  tellOutside: (event: SessionEvent) => void,
): Promise<Session | undefined> {
  const { clock, signal, token, install, publicUrl, scopes } = options;
  const { sandbox } = script;
  const folder = dirname(options.manifestFile);
  let emulator: Emulator | undefined;
  let broken = false;
  let lastReport: BuildReport | undefined;
  const lastChecked = { apis: '[]', types: '[]' };
  const tell = (event: SessionEvent): void => {
    broken ||= event.type === 'broken' || event.type === 'broken-script';
    const report = reportBuild(event, folder, clock.now(), lastReport);
    if (report) emulator?.reportBuild(report);
    lastReport = report ?? lastReport;
    if (event.type === 'built' && !builder.keepsNodeModules()) sourceCheck.begin(event.files, event.building);
    if (event.type === 'checked') {
      const checked = JSON.stringify(event.diagnostics);
      if (checked === lastChecked[event.by]) return;
      lastChecked[event.by] = checked;
    }
    tellOutside(event);
  };
  const sourceCheck = createSourceCheck(folder, (diagnostics) =>
    tell({ type: 'checked', by: 'apis', diagnostics, sources: new Map() }),
  );
  closing.add(sourceCheck.close);
  for (const file of dotenvFiles({ file: options.manifestFile, ...options })) {
    const message = envFileWarning(file, options.process.userId);
    if (message !== undefined) tell({ type: 'warning', code: 'env-file', message });
  }
  const slot = createCurrentScript(sandbox);

  const watcher = createFileChanges(signal);
  closing.add(watcher.close);
  const waiting = options.patient ? watcher : undefined;
  const project = await firstProject(options, waiting, tell);
  const settings = project && (await firstSettings(folder, waiting, tell));
  if (!settings) return undefined;
  const runtime = await script.chooseRuntime(settings);
  if (hasNodeModules(runtime)) builder.keepNodeModules();
  const store = openState(options, stateFolderOf(folder), (error) =>
    tell({ type: 'warning', code: 'store', message: errorMessage(error) }),
  );
  closing.add(store.close);
  // What the script says at its end is still recorded.
  closing.add(sandbox.close);

  refuseSamePort(options, settings);
  const { listener, instead } = await openPort(
    { ...options.port, settings: settings.port, usual: publicPorts },
    (port) =>
      listen({
        port,
        clock,
        fetch: async (request, rawHeaders) => emulator?.fetch(request, rawHeaders) ?? starting(),
      }),
  );
  closing.add(listener.close);
  const { listener: consoleListener } = await openPort(
    { ...options.consolePort, settings: settings.consolePort, usual: chosenBySystem },
    (port) =>
      listen({ port, clock, fetch: async (request) => emulator?.fetchConsole(request) ?? starting() }),
  );
  closing.add(consoleListener.close);
  const { origin } = listener;
  const { origin: consoleOrigin } = consoleListener;
  if (options.oauthProvider === 'local') script.reroutes = tokenReroutes(consoleOrigin);

  let { integration } = project.manifest;
  emulator = createEmulator({
    integration,
    host: slot,
    workspace: settings.workspace,
    store,
    clock,
    origin,
    consoleOrigin,
    token,
    listing: options.listing,
    platformVersion: options.package.version,
    console: createConsoleFiles({
      folder: join(options.package.folder, 'dist/console'),
      project: () => ({ folder, integration }),
    }),
    scopes,
    oauth: options.oauth,
    oauthProvider: options.oauthProvider,
    noInstall: !install,
    projectFolder: folder,
    publicFolder: join(folder, 'public'),
    ...(publicUrl !== undefined && { publicUrl }),
  });
  const running = emulator;
  script.observer = running.observer;
  closing.add(running.close);
  closing.add(running.subscribe(tellOutside));

  let start = (): Promise<void> => running.start();
  let started = Promise.resolve();
  const reloader = createReloader({
    options,
    builder,
    slot,
    clock,
    began,
    tell,
    changes: {
      watch: (files) => watcher.watch([...files, join(folder, devSettingsFileName)]),
      count: watcher.count,
    },
    accept(next, build) {
      integration = next;
      running.reload(next, build);
      started = start();
      start = async () => {};
    },
  });
  closing.add(reloader.close);
  const checkSettings = createSettingsCheck(folder, settings, tell);
  watcher.follow(() => {
    reloader
      .reload()
      .catch((error: unknown) => tell({ type: 'warning', code: 'bug', message: String(error) }));
    // The build is under way by then.
    setImmediate(checkSettings);
  });
  await reloader.reload();
  await reloader.placed();
  if (options.typecheck)
    closing.add(
      startTypeCheck({
        folder,
        node: options.process.node,
        report: (diagnostics) => tell({ type: 'checked', by: 'types', diagnostics, sources: new Map() }),
        fail: (message) => tell({ type: 'warning', code: 'typecheck', message }),
      }),
    );
  if (broken && !options.patient) return undefined;
  claim.announce({ origin, consoleOrigin });
  return {
    folder,
    origin,
    consoleOrigin,
    consoleLink: consoleLink({ consoleOrigin, token }),
    takenPort: instead,
    emulator,
    runtime,
    title: () => integration.title,
    started: () => started,
    hasScript: () => integration.script !== undefined,
    rebuild: reloader.rebuild,
    close: closing.close,
  };
}

function openState(
  { state, fresh, clock, process }: SessionOptions,
  folder: string,
  trouble: (error: unknown) => void,
): Store {
  if (state === 'memory') return createMemoryStore(clock);
  const file = join(folder, 'state.db');
  for (const path of ['', '-wal', '-shm', '-owner'].map((suffix) => file + suffix)) {
    if (fresh) rmSync(path, { force: true, recursive: true });
    checkPrivateFile(path, process.userId);
  }
  return openStore({ file, clock, trouble });
}

const publicPorts = { first: 4100, last: 4199 };

/** What a browser has stored for the console of an earlier start is of no use, and nobody can wait on its port. */
const chosenBySystem = { first: 0, last: 0 };

function refuseSamePort({ port, consolePort }: SessionOptions, settings: DevSettings): void {
  const wanted = port.named ?? settings.port;
  if (wanted === undefined || wanted === 0 || wanted !== (consolePort.named ?? settings.consolePort)) return;
  throw new UserError(
    'same-port',
    `Port ${wanted} is named twice: for the public endpoints and for the console.`,
    'Each needs a port of its own. Without --console-port and consolePort, the system chooses one for the console.',
  );
}

/** Without a good manifest there is no integration yet: who waits, waits until there is one. */
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

const starting = (): Response => Response.json({ error: 'The local platform is starting.' }, { status: 503 });

/** The key is in the fragment, which a browser sends nowhere. The view is a path below `/console/`. */
export const consoleLink = (
  { consoleOrigin, token }: Required<Pick<SessionRecord, 'consoleOrigin' | 'token'>>,
  view = '',
): string => `${consoleOrigin}/${view && `console/${view}`}#key=${token}`;
