import { errorMessage } from '../../base/text/error-message.js';
import { statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Bundle } from '../../bundle/index.js';
import type { Diagnostic, Source } from '../../diagnostics/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Clock } from '../../base/clock.js';
import type { Integration } from '../../protocol/integration.js';
import { checkComponents } from './check-components.js';
import type { Builder } from './builder.js';
import type { FileChanges } from './file-changes.js';
import { dependencyChangeFiles } from './installed-packages.js';
import { writeTypesOnReload } from './write-types-on-reload.js';
import { warnSlowLoad } from './warn-slow-load.js';
import { serialiseCalls } from './serialise-calls.js';
import { loadProject, type Project, type ProjectOptions } from './load-project.js';
import type { CurrentScript } from '../current-script.js';
import type { SessionEvent } from '../session-event.js';
import { adviceOnLoading } from '../../sandbox/index.js';

interface ReloaderParts {
  options: ProjectOptions;
  builder: Builder;
  slot: CurrentScript;
  clock: Clock;
  /** When the first build was begun, which is before there is a reloader. */
  began: number;
  tell(event: SessionEvent): void;
  /** A good build (or a manifest without a script) is in place. */
  accept(integration: Integration, build: string): void;
  changes: Pick<FileChanges, 'watch' | 'count'>;
}

export interface Reloader {
  reload(): Promise<void>;
  /** The same for files that have not changed: a new process with what it remembers gone. */
  rebuild(): Promise<void>;
  /** Resolves when what was built last answers, or could not be put in place. */
  placed(): Promise<void>;
  /** Resolves when nothing is built any more. */
  close(): Promise<void>;
}

/** As long as this, a file may be half written, or gone until its successor comes. */
const HALF_WRITTEN_MS = 40;
/** What changes all the time is told and put in place all the same. */
const PATIENCE_MS = 1000;

/** How much the time of a file may be behind. */
const FILE_CLOCK_MS = 10;

/** What an attempt has come to, and whether the files have changed since it began. */
interface Attempt {
  conclude(): void;
  outdated: boolean;
}

/** From the files on the disk to the script that answers. What is broken leaves the last good one in place. */
export function createReloader(parts: ReloaderParts): Reloader {
  const { options, builder, slot, clock, tell, accept, changes } = parts;
  const folder = dirname(options.manifestFile);
  let projectFiles: string[] = [];
  let files: string[] = [];
  let lastEntry: string | undefined;
  let former = '';
  let placing = Promise.resolve();
  let closed = false;

  const broken = (
    what: 'manifest' | 'build',
    diagnostics: Diagnostic[],
    sources: ReadonlyMap<string, Source>,
  ): (() => void) => {
    // What was not found may come to be in any folder that is looked into.
    changes.watch([...watched(), ...files.map((file) => dirname(file))]);
    return () => {
      former = '';
      tell({ type: 'broken', what, diagnostics, sources });
    };
  };

  const watched = (): string[] => [
    ...projectFiles,
    ...['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
    ...dependencyChangeFiles(folder),
    ...files,
  ];

  const tellLongLoad = (entry: string, seconds: number): void => {
    const message = `${relativePath(folder, entry)} is still being loaded after ${seconds} s. ${adviceOnLoading} What you save takes its place at once.`;
    tell({ type: 'warning', code: 'long-load', message });
  };

  const place = async (
    bundle: Bundle,
    { manifest }: Project,
    entry: string,
    done: (found: readonly Diagnostic[]) => void,
  ): Promise<void> => {
    const seen = changes.count();
    try {
      const put = await warnSlowLoad(clock, slot.put(bundle), (seconds) => tellLongLoad(entry, seconds));
      if (put === 'superseded' || closed) return;
      accept(manifest.integration, put.build);
      done(checkComponents(manifest, put.components));
    } catch (error) {
      if (closed) return;
      former = '';
      await sleep(HALF_WRITTEN_MS);
      if (changes.count() !== seen) return reload();
      tell({ type: 'broken-script', message: errorMessage(error) });
    }
  };

  /** Manifest and script as they are now. */
  const attempt = async (start: number): Promise<Attempt> => {
    const seen = changes.count();
    const began = lastEntry === undefined ? parts.began : clock.now();
    const settled = (conclude: () => void): Attempt => ({ conclude, outdated: changes.count() !== seen });
    const mended = async (conclude: () => void): Promise<Attempt> => {
      await sleep(HALF_WRITTEN_MS);
      return settled(conclude);
    };
    if (lastEntry !== undefined) {
      builder.begin(lastEntry);
      // The bundler is at work while the manifest is read.
      await turn();
    }
    const { project, diagnostics, sources, ...loaded } = loadProject(options);
    projectFiles = loaded.files;
    if (!project) return mended(broken('manifest', diagnostics, sources));
    writeTypesOnReload(project.manifest);
    const { entry } = project;
    if (!entry) {
      return settled(() => {
        former = '';
        changes.watch(watched());
        slot.leaveEmpty();
        accept(project.manifest.integration, 'no script');
      });
    }
    lastEntry = entry;
    const known = new Set(files);
    files = [...new Set([entry, ...files])];
    const built = await builder.build(entry);
    if (!built.ok) {
      files = [...new Set([...files, ...(await builder.lookedAt())])].filter(isOwn);
      const conclude = broken('build', built.diagnostics, sources);
      // What nobody has looked after so far may have changed unseen.
      return files.every((file) => known.has(file)) ? mended(conclude) : { conclude, outdated: true };
    }
    const result = settled(() => {
      const now = JSON.stringify([project.manifest.integration, built.value.code]);
      if (now === former) return;
      former = now;
      const warnings = [...diagnostics, ...built.diagnostics].filter(
        ({ severity, ignored }) => severity !== 'info' && ignored === undefined,
      );
      placing = place(built.value, project, entry, (found) =>
        tell({
          type: 'built',
          durationMs: Math.round(clock.monotonic() - start),
          warnings: [...warnings, ...found],
          sources,
          files: built.value.files,
        }),
      );
    });
    files = [...built.value.files.filter(isOwn), ...built.value.settings];
    changes.watch(watched());
    const unseen = files.some((file) => !known.has(file) && isNewerThan(file, began - FILE_CLOCK_MS));
    return unseen ? { ...result, outdated: true } : result;
  };

  const reload = serialiseCalls(async () => {
    if (closed) return;
    let start = clock.monotonic();
    for (;;) {
      const { conclude, outdated } = await attempt(start);
      if (closed) return;
      if (outdated && clock.monotonic() - start < PATIENCE_MS) continue;
      conclude();
      if (!outdated) return;
      start = clock.monotonic();
    }
  });

  return {
    reload,
    rebuild() {
      former = '';
      return reload();
    },
    async placed() {
      for (let last; last !== placing;) {
        last = placing;
        await last;
      }
    },
    async close() {
      closed = true;
      // One that is under way comes to its end first.
      await reload().catch(() => {});
    },
  };
}

const isOwn = (file: string): boolean => !file.includes(`${sep}node_modules${sep}`);

const isNewerThan = (file: string, time: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > time;
