import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createConsoleFiles,
  createEmulator,
  listen,
  tokenReroutes,
  type Emulator,
} from '../emulator/index.js';
import { devSettingsFileName, loadDevSettings } from '../manifest/index.js';
import type { Clock } from '../protocol/clock.js';
import type { Workspace } from '../protocol/workspace.js';
import { createSandbox } from '../sandbox/index.js';
import type { OutboundReroute } from '../sandbox/script-host.js';
import { createMemoryStore } from '../store/memory-store.js';
import { openStore } from '../store/open-store.js';
import type { Store } from '../store/store.js';
import { createBuilder } from './builder.js';
import { createChanges, type Changes } from './changes.js';
import { createClosing } from './closing.js';
import { openPort, type PortChoice } from './open-port.js';
import { loadProject, projectFiles, type Project, type ProjectOptions } from './project.js';
import { createReloader } from './reloader.js';
import { reportBuild } from './report-build.js';
import { createScriptSlot } from './script-slot.js';
import type { SessionEvent } from './session-event.js';
import { claimSession, stateFolderOf } from './session-file.js';

export interface SessionOptions extends ProjectOptions {
  port: PortChoice;
  state: 'disk' | 'memory';
  fresh: boolean;
  install: boolean;
  scopes: 'warn' | 'enforce';
  oauth: 'approve' | 'deny' | 'ask';
  oauthProvider: 'local' | 'real';
  publicUrl: string | undefined;
  timeoutMs: number | undefined;
  inspect: number | undefined;
  clock: Clock;
  signal: AbortSignal;
  process: { pid: number; node: string; isRunning(pid: number): boolean };
  /** Where this package is, and which one it is. */
  package: { folder: string; version: string };
  /** The marketplace's findings on the project as it is now. */
  listing: () => Promise<object>;
  /** Opens the control routes to those who know it. */
  token: string;
}

export interface Session {
  origin: string;
  emulator: Emulator;
  /** The title that the manifest has now. */
  title(): string;
  /** Resolves when the setup events of the first start have been handled. */
  started(): Promise<void>;
  hasScript(): boolean;
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

export async function startSession(
  options: SessionOptions,
  tellOutside: (event: SessionEvent) => void,
): Promise<Session> {
  const { clock, signal, token, install, publicUrl, scopes } = options;
  const folder = dirname(options.manifestFile);
  const closing = createClosing();
  try {
    const claim = claimSession(folder, {
      ...options.process,
      platformVersion: options.package.version,
      token,
    });
    closing.add(claim.release);

    let emulator: Emulator | undefined;
    let reroutes: OutboundReroute[] = [];
    const tell = (event: SessionEvent): void => {
      const report = reportBuild(event, folder, clock.now());
      if (report) emulator?.reportBuild(report);
      // Who listens here has been told already, with all of it.
      if (event.type !== 'build') tellOutside(event);
    };
    const sandbox = createSandbox({
      folder: tmpdir(),
      childFile: join(options.package.folder, 'dist/sandbox/child/main.js'),
      node: options.process.node,
      clock,
      observer: {
        log: (entry) => emulator?.observer.log(entry),
        outbound: (call) => emulator?.observer.outbound(call),
      },
      reroutes: () => reroutes,
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
      ...(options.inspect !== undefined && { inspect: options.inspect }),
    });
    // The slowest part of a start goes first.
    sandbox.start();
    closing.add(sandbox.close);
    const slot = createScriptSlot(sandbox);

    const watcher = createChanges(signal);
    closing.add(watcher.close);
    const { manifest } = await firstProject(options, watcher, tell);
    const workspace = await firstWorkspace(folder, watcher, tell);
    const store = openState(options, stateFolderOf(folder));
    closing.add(store.close);

    const listener = await openPort(options.port, (port) =>
      listen({ port, clock, fetch: async (request) => emulator?.fetch(request) ?? starting() }),
    );
    closing.add(listener.close);
    const { origin } = listener;
    if (options.oauthProvider === 'local') reroutes = tokenReroutes(origin);

    let { integration } = manifest;
    emulator = createEmulator({
      integration,
      host: slot,
      workspace,
      store,
      clock,
      origin,
      token,
      listing: options.listing,
      platformVersion: options.package.version,
      console: createConsoleFiles({
        folder: join(options.package.folder, 'dist/console'),
        token,
        project: () => ({ folder, integration }),
      }),
      scopes,
      oauth: options.oauth,
      oauthProvider: options.oauthProvider,
      noInstall: !install,
      ...(publicUrl !== undefined && { publicUrl }),
    });
    const running = emulator;
    closing.add(running.close);
    closing.add(running.subscribe(tell));

    const builder = createBuilder(folder, options.package.folder);
    closing.add(builder.close);
    let start = (): Promise<void> => running.start();
    let started = Promise.resolve();
    const reloader = createReloader({
      options,
      builder,
      slot,
      clock,
      tell,
      watch: watcher.watch,
      accept(next, build) {
        integration = next;
        running.reload(next, build);
        started = start();
        start = async () => {};
      },
    });
    await reloader.reload();
    await reloader.placed();
    watcher.follow(() => {
      reloader
        .reload()
        .catch((error: unknown) => tell({ type: 'warning', code: 'bug', message: String(error) }));
    });
    claim.announce(origin);
    return {
      origin,
      emulator,
      title: () => integration.title,
      started: () => started,
      hasScript: () => integration.script !== undefined,
      rebuild: reloader.reload,
      close: closing.close,
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

function openState({ state, fresh, clock }: SessionOptions, folder: string): Store {
  if (state === 'memory') return createMemoryStore();
  const file = join(folder, 'state.db');
  if (fresh) for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  return openStore({ file, clock });
}

/** Without a good manifest there is no integration yet: it waits until there is one. */
async function firstProject(
  options: ProjectOptions,
  changes: Changes,
  tell: (event: SessionEvent) => void,
): Promise<Project> {
  for (;;) {
    const { project, diagnostics, sources } = loadProject(options);
    if (project) return project;
    tell({ type: 'broken', what: 'manifest', diagnostics, sources });
    changes.watch(projectFiles(options));
    await changes.next();
  }
}

/** Waits for settings that are right: what is installed where depends on them. */
async function firstWorkspace(
  folder: string,
  changes: Changes,
  tell: (event: SessionEvent) => void,
): Promise<Workspace> {
  const file = join(folder, devSettingsFileName);
  for (;;) {
    const { diagnostics, source, ...loaded } = loadDevSettings(folder);
    if (loaded.ok) return loaded.value.workspace;
    tell({ type: 'broken', what: 'manifest', diagnostics, sources: new Map([[file, source]]) });
    changes.watch([file]);
    await changes.next();
  }
}

const starting = (): Response => Response.json({ error: 'The local platform is starting.' }, { status: 503 });
