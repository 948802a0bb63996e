import { errorMessage } from '../../base/text/error-message.js';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Bundle } from '../../bundle/index.js';
import type { Diagnostic, Source } from '../../diagnostics/model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { SystemClock, Timers } from '../../base/clock.js';
import type { Integration } from '../../protocol/integration.js';
import { checkDefinition } from './check-definition.js';
import type { Builder } from './builder.js';
import type { FileChanges } from './file-changes.js';
import { buildSettings } from './installed-packages.js';
import { oneReloadAtATime } from './one-reload-at-a-time.js';
import { loadProject, type Project, type ProjectOptions } from './load-project.js';
import type { SessionEvent } from '../events/session-event.js';
import { adviceOnLoading, isScriptLoadError, type NoScript, type ScriptRunner } from '../../sandbox/index.js';
import { readEnvironmentTypes, type Manifest } from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';

interface ReloaderParts {
  options: ProjectOptions;
  builder: Builder;
  /** Runs the script. A script is live once the runner serves calls with it. */
  runner: Pick<ScriptRunner, 'load' | 'unload' | 'explain' | 'definedIds'>;
  clock: SystemClock;
  /** When the first build began, which is before the reloader was created. */
  began: number;
  tell(event: SessionEvent): void;
  /** Called when a successful build of some files, or a manifest without a script, has gone live. */
  accept(integration: Integration, build: string, inputs: readonly string[]): void;
  changes: Pick<FileChanges, 'watch' | 'count'>;
}

/** How long a file may be incomplete or missing after a save, because it is still being written. */
const HALF_WRITTEN_MS = 40;
/** If files keep changing, they are built and reported after this time anyway. */
const PATIENCE_MS = 1000;

/** How far a file's timestamp may lag behind the clock. */
const FILE_CLOCK_MS = 10;

/** The result of an attempt, and whether files have changed since it began. */
interface Attempt {
  conclude(): void;
  outdated: boolean;
}

interface ReloadState {
  projectFiles: string[];
  files: string[];
  lastEntry: string | undefined;
  /**
   * The name of the last accepted build. Building the same code again does not count as a reload. If this is empty,
   * the next build always counts.
   */
  accepted: string;
  placing: Promise<void>;
  /** True if no build has gone live yet and the manifest specifies a script. */
  isFirst: boolean;
  closed: boolean;
}

/** The response to calls until the first build is live. */
export const scriptIsBeingBuilt: NoScript = {
  error: 'The script is being built.',
  status: 503,
  eventStatus: 503,
};
const firstBuildFailed: NoScript = {
  ...scriptIsBeingBuilt,
  error: 'The script is not running because its first build failed. The output of platform dev shows why.',
};
/** Without a script, events have no handlers. */
const noScript: NoScript = {
  error: 'This integration has no script, because its manifest does not set one.',
  status: 503,
  eventStatus: 406,
};

/** The state that the steps of a reload share. */
interface Reload extends ReloaderParts {
  folder: string;
  state: ReloadState;
  reload(): Promise<void>;
}

/** Builds the files on disk and runs the result as the script. If a build fails, the last working build keeps running. */
export function createReloader(parts: ReloaderParts) {
  const { clock } = parts;
  const state: ReloadState = {
    projectFiles: [],
    files: [],
    lastEntry: undefined,
    accepted: '',
    placing: Promise.resolve(),
    isFirst: true,
    closed: false,
  };
  const reload = oneReloadAtATime(async () => {
    if (state.closed) return;
    let start = clock.monotonic();
    for (;;) {
      const { conclude, outdated } = await attempt(shared, start);
      if (state.closed) return;
      if (outdated && clock.monotonic() - start < PATIENCE_MS) continue;
      conclude();
      if (!outdated) return;
      start = clock.monotonic();
    }
  });
  const shared: Reload = { ...parts, folder: dirname(parts.options.manifestFile), state, reload };

  return {
    reload,
    /** Reloads even if no file has changed. Starts a new process, so everything in the old one's memory is lost. */
    rebuild() {
      state.accepted = '';
      return reload();
    },
    /** The next build goes live even if its code is that of the last one. */
    forget: () => void (state.accepted = ''),
    /** Resolves when the latest build is live or has failed to start. */
    async placed() {
      for (let last; last !== state.placing;) {
        last = state.placing;
        await last;
      }
    },
    /** Resolves when no builds are running anymore. */
    async close() {
      state.closed = true;
      // Waits for a build that is in progress.
      await reload().catch(() => {});
    },
  };
}

/** Loads and builds the manifest and script from disk. */
async function attempt(shared: Reload, start: number): Promise<Attempt> {
  const { options, builder, clock, accept, changes, state } = shared;
  const seen = changes.count();
  const began = state.lastEntry === undefined ? shared.began : clock.now();
  const settled = (conclude: () => void): Attempt => ({ conclude, outdated: changes.count() !== seen });
  /** Delays reporting errors in a broken file, because the file may be only half written. */
  const settledLater = async (conclude: () => void): Promise<Attempt> => {
    await sleep(HALF_WRITTEN_MS);
    return settled(conclude);
  };
  if (state.lastEntry !== undefined) {
    builder.begin(state.lastEntry);
    // Lets the bundler start before the manifest is read.
    await turn();
  }
  const { project, diagnostics, sources, ...loaded } = loadProject(options);
  state.projectFiles = loaded.files;
  if (!project) return settledLater(broken(shared, 'manifest', diagnostics, sources));
  writeTypesOnReload(project.manifest);
  const { entry } = project;
  if (!entry) {
    return settled(() => {
      state.accepted = '';
      changes.watch(watched(shared));
      state.isFirst = false;
      shared.runner.unload(noScript);
      accept(project.manifest.integration, 'no script', []);
    });
  }
  state.lastEntry = entry;
  const known = new Set(state.files);
  state.files = [...new Set([entry, ...state.files])];
  const built = await builder.build(entry);
  if (!built.ok) {
    state.files = [...new Set([...state.files, ...(await builder.lookedAt())])].filter(isOwn);
    const conclude = broken(shared, 'build', built.diagnostics, sources);
    // A file that was not watched until now may have changed unnoticed.
    return state.files.every((file) => known.has(file))
      ? settledLater(conclude)
      : { conclude, outdated: true };
  }
  const { value: bundle, diagnostics: building } = built;
  const found = diagnostics;
  const result = settled(() => put(shared, { project, entry, bundle, found, building, sources, start }));
  state.files = [...bundle.files.filter(isOwn), ...bundle.settings];
  changes.watch(watched(shared));
  const unseen = state.files.some((file) => !known.has(file) && isNewerThan(file, began - FILE_CLOCK_MS));
  return unseen ? { ...result, outdated: true } : result;
}

const watched = ({ folder, state }: Reload): string[] => [
  ...state.projectFiles,
  ...buildSettings(folder),
  ...state.files,
];

function broken(
  shared: Reload,
  what: 'manifest' | 'build',
  diagnostics: Diagnostic[],
  sources: ReadonlyMap<string, Source>,
): () => void {
  const { changes, state, tell } = shared;
  // A missing file may be created in any of the folders where the bundler looked for it.
  changes.watch([...watched(shared), ...state.files.map((file) => dirname(file))]);
  return () => {
    state.accepted = '';
    explainFailure(shared);
    tell({ type: 'broken', what, diagnostics, sources });
  };
}

function explainFailure({ runner, state }: Reload): void {
  if (state.isFirst) runner.explain(firstBuildFailed);
}

/** Names a build by a hash of its code, so that builds with identical code have the same name. */
const nameOf = ({ code }: Bundle): string => createHash('sha256').update(code).digest('hex').slice(0, 16);

interface GoodBuild {
  project: Project;
  entry: string;
  bundle: Bundle;
  /** Problems in the manifest. */
  found: readonly Diagnostic[];
  /** Problems found by the bundler. */
  building: Diagnostic[];
  sources: ReadonlyMap<string, Source>;
  /** When the reload began. */
  start: number;
}

/** Makes a build live unless it is live already. */
function put(shared: Reload, build: GoodBuild): void {
  const { state } = shared;
  const now = JSON.stringify([build.project.manifest.integration, build.bundle.code]);
  if (now === state.accepted) return;
  state.accepted = now;
  state.placing = place(shared, build);
}

/** Never rejects. Reports failures; the next change starts another build. */
async function place(shared: Reload, build: GoodBuild): Promise<void> {
  const { changes, tell, state, reload } = shared;
  const seen = changes.count();
  try {
    await putInPlace(shared, build);
  } catch (error) {
    if (state.closed) return;
    state.accepted = '';
    explainFailure(shared);
    if (!isScriptLoadError(error)) return tell(unplaced(error));
    await sleep(HALF_WRITTEN_MS);
    if (changes.count() !== seen) return reload().catch((bug: unknown) => tell(unplaced(bug)));
    tell({ type: 'broken-script', message: errorMessage(error) });
  }
}

/** Reports a failure caused by the machine (such as a full disk) or by a bug, not by the script. */
const unplaced = (error: unknown): SessionEvent => ({
  type: 'warning',
  code: 'not-placed',
  message: `The build could not be activated: ${errorMessage(error)} Save a file to try again.`,
});

async function putInPlace(
  shared: Reload,
  { project, entry, bundle, found, building, sources, start }: GoodBuild,
): Promise<void> {
  const { clock, runner, accept, tell, state } = shared;
  const loaded = await warnSlowLoad(clock, runner.load(bundle), (seconds) =>
    tellLongLoad(shared, entry, seconds),
  );
  if (loaded === 'superseded' || state.closed) return;
  state.isFirst = false;
  accept(project.manifest.integration, nameOf(bundle), [...bundle.files, ...bundle.settings]);
  const warnings = found.filter(({ severity, ignored }) => severity !== 'info' && ignored === undefined);
  tell({
    type: 'built',
    durationMs: Math.round(clock.monotonic() - start),
    warnings: [...warnings, ...checkDefinition(project.manifest, runner.definedIds())],
    building,
    sources,
    files: bundle.files,
  });
}

function tellLongLoad({ folder, tell }: Reload, entry: string, seconds: number): void {
  const message = `${relativePath(folder, entry)} is still being loaded after ${seconds} s. ${adviceOnLoading} A saved change replaces it immediately.`;
  tell({ type: 'warning', code: 'long-load', message });
}

const isOwn = (file: string): boolean => !file.includes(`${sep}node_modules${sep}`);

const isNewerThan = (file: string, time: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > time;

/** After this many seconds, a notice explains the delay. */
const LONG_S = 3;

/** Resolves to the result of loading the script. Calls `notice` if this takes long. */
async function warnSlowLoad<T>(
  timers: Timers,
  load: Promise<T>,
  notice: (seconds: number) => void,
): Promise<T> {
  const over = new AbortController();
  timers.sleep(LONG_S * 1000, over.signal).then(
    () => notice(LONG_S),
    () => {},
  );
  try {
    return await load;
  } finally {
    over.abort();
  }
}

/** Updates an existing `platform-env.d.ts` when the manifest changes. Projects of other platforms have types of their own. */
export function writeTypesOnReload(manifest: Manifest): void {
  if (manifest.profile) return;
  try {
    const { file, before, after, fits } = readEnvironmentTypes(manifest);
    if (before !== undefined && !fits) replaceFile(file, after);
  } catch {
    // If the file cannot be written, the session continues. "platform types" shows the reason.
  }
}
