import { dirname, join, sep } from 'node:path';
import type { Bundle } from '../bundle/index.js';
import type { Diagnostic, Source } from '../diagnostics/diagnostic.js';
import type { Clock } from '../protocol/clock.js';
import type { Integration } from '../protocol/integration.js';
import type { Builder } from './builder.js';
import { keepTypes } from './keep-types.js';
import { oneAtATime } from './one-at-a-time.js';
import { loadProject, projectFiles, type Project, type ProjectOptions } from './project.js';
import type { ScriptSlot } from './script-slot.js';
import type { SessionEvent } from './session-event.js';

interface ReloaderParts {
  options: ProjectOptions;
  builder: Builder;
  slot: ScriptSlot;
  clock: Clock;
  tell(event: SessionEvent): void;
  /** A good build (or a manifest without a script) is in place. */
  accept(integration: Integration, build: string): void;
  /** From now on, changes of these files matter. */
  watch(files: string[]): void;
}

export interface Reloader {
  reload(): Promise<void>;
  /** The same for files that have not changed: a new process with what it remembers gone. */
  rebuild(): Promise<void>;
  /** Resolves when what was built last answers, or could not be put in place. */
  placed(): Promise<void>;
}

/** From the files on the disk to the script that answers. What is broken leaves the last good one in place. */
export function createReloader(parts: ReloaderParts): Reloader {
  const { options, builder, slot, clock, tell, accept, watch } = parts;
  const folder = dirname(options.manifestFile);
  let files: string[] = [];
  let former = '';
  let placing = Promise.resolve();

  const broken = (
    what: 'manifest' | 'build',
    diagnostics: Diagnostic[],
    sources: ReadonlyMap<string, Source>,
  ): void => {
    // What was not found may come to be in any folder that is looked into.
    watch([...watched(), ...files.map((file) => dirname(file))]);
    former = '';
    tell({ type: 'broken', what, diagnostics, sources });
  };

  const watched = (): string[] => [
    ...projectFiles(options),
    ...['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
    ...files,
  ];

  const place = async (bundle: Bundle, { manifest }: Project, done: () => void): Promise<void> => {
    try {
      const put = await slot.put(bundle);
      if (put === 'superseded') return;
      accept(manifest.integration, put.build);
      done();
    } catch (error) {
      former = '';
      tell({ type: 'broken-script', message: error instanceof Error ? error.message : String(error) });
    }
  };

  const reload = oneAtATime(async () => {
    const start = clock.now();
    const { project, diagnostics, sources } = loadProject(options);
    if (!project) return broken('manifest', diagnostics, sources);
    keepTypes(project.manifest);
    if (!project.entry) {
      watch(watched());
      slot.leaveEmpty();
      accept(project.manifest.integration, 'no script');
      return undefined;
    }
    files = [project.entry, ...files];
    const built = await builder.build(project.entry);
    if (!built.ok) return broken('build', built.diagnostics, sources);
    files = built.value.files.filter((file) => !file.includes(`${sep}node_modules${sep}`));
    watch(watched());
    const now = JSON.stringify([project.manifest.integration, built.value.code]);
    if (now === former) return undefined;
    former = now;
    const warnings = [...diagnostics, ...built.diagnostics].filter(({ severity }) => severity !== 'info');
    placing = place(built.value, project, () =>
      tell({ type: 'built', durationMs: clock.now() - start, warnings, sources }),
    );
    return undefined;
  });

  return {
    reload,
    rebuild() {
      former = '';
      return reload();
    },
    placed: () => placing,
  };
}
