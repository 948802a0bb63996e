import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../base/clock.js';
import { createDeferred } from '../base/deferred.js';
import { createListeners } from '../base/listeners.js';
import { readStats } from '../base/node/read-stats.js';
import { errorMessage } from '../base/text/error-message.js';
import { UserError } from '../base/user-error.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import type { PlatformOptions } from '../emulator/index.js';
import type { DevSettings } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import { describeProblem } from './describe-problem.js';
import type { SessionEvent } from './events/session-event.js';
import { followContent } from './follow-content.js';
import { watchFolders } from './reload/watch-folders.js';
import { createSampleFolders } from './sample-folders.js';
import type { SessionOptions } from './session-options.js';
import { findOwnFolder } from './settings/own-folder.js';

export interface Mount {
  /** The folders that are served, apart from the sample pages. */
  mounted: readonly string[];
  open: NonNullable<PlatformOptions['mount']>;
  /** Starts checking the pages after everything else has started. */
  check(): void;
  /** Shows changed blocks on the sample pages. */
  revise(integrations: readonly Integration[]): void;
  close(): void;
}

/** How long after startup to check the pages, because loading the page parser takes a tenth of the startup's CPU time. */
const checkAfterMs = 1000;

/** Projects created with `init` have their pages in this folder. */
const usualFolder = 'docs';

type MountOptions = Pick<SessionOptions, 'contentFolder' | 'timers'> & { folder: string; clock: Clock };

/**
 * Opens a folder for each space and watches it for changes. If neither `--content` nor `platform.dev.yaml` specifies
 * a folder, the first space uses the project's `docs` folder if it exists. Every other space gets sample pages. Only
 * `--content` may specify a folder outside the project and its repository.
 */
export async function createMount(
  { folder: project, contentFolder, clock, timers }: MountOptions,
  { workspace }: DevSettings,
  integrations: readonly Integration[],
  tell: (event: SessionEvent) => void,
): Promise<Mount> {
  const samples = createSampleFolders();
  const mounted = new Map<string, string>();
  for (const [nth, { id, content }] of workspace.spaces.entries()) {
    const usual = nth === 0 && isFolder(join(project, usualFolder)) ? usualFolder : undefined;
    const own = content ?? usual;
    if (nth === 0 && contentFolder !== undefined) mounted.set(id, checkFolder(id, contentFolder));
    else if (own !== undefined) mounted.set(id, checkOwnFolder(id, { project, path: own }));
  }
  const sampled = workspace.spaces.filter(({ id }) => !mounted.has(id));
  const folders = new Map([...mounted, ...sampled.map(({ id }) => [id, samples.add(integrations)] as const)]);
  const { openContent } = await import('../content/index.js');
  const closing = new AbortController();
  const reloads = createListeners<readonly Integration[]>();
  let current = integrations;
  const started = createDeferred<void>();
  return {
    mounted: [...mounted.values()],
    check: () => started.resolve(),
    open(space, ids) {
      const folder = folders.get(space);
      if (folder === undefined) return undefined;
      const warn = (message: string): void => tell({ type: 'warning', code: 'content', message });
      const report = (diagnostics: Diagnostic[]): void =>
        tell({ type: 'checked', by: 'content', diagnostics, sources: new Map() });
      const content = openContent({
        folder,
        spaceId: space,
        clock,
        timers,
        ids,
        onWarning: (warning) => report([describeProblem(folder, warning)]),
      });
      const { signal } = closing;
      signal.addEventListener('abort', content.close, { once: true });
      followContent(content, { timers, signal, watch: watchFolders }).catch((error: unknown) =>
        warn(`The pages of ${space} are no longer watched for changes. ${errorMessage(error)}`),
      );
      started.promise
        .then(async () => {
          await timers.sleep(checkAfterMs, signal);
          const { checkPages } = await import('./check-pages.js');
          await checkPages(content, { signal, report, integrations: current, onReload: reloads.subscribe });
        })
        .catch((error: unknown) => {
          if (!signal.aborted) warn(`The pages of ${space} are not checked. ${errorMessage(error)}`);
        });
      return content;
    },
    revise(next) {
      current = next;
      samples.revise(next);
      reloads.emit(next);
    },
    close() {
      closing.abort();
      samples.close();
    },
  };
}

function checkFolder(space: string, folder: string): string {
  if (isFolder(folder)) return folder;
  throw new UserError(
    'no-content-folder',
    `${folder} is not a folder. The space ${space} needs it for its pages.`,
    'Create it, or set a different folder with --content or in platform.dev.yaml.',
  );
}

function checkOwnFolder(space: string, { project, path }: { project: string; path: string }): string {
  const folder = checkFolder(space, resolve(project, path));
  const own = findOwnFolder(project, folder);
  if (own !== undefined) return own;
  throw new UserError(
    'content-outside',
    `The pages of the space ${space} are in ${path}, which leads to ${realpathSync(folder)}. This folder is hidden, or outside the project and its repository.`,
    `Move the pages into the project. If you trust the project, you can also run: platform dev --content <folder>`,
  );
}

const isFolder = (path: string): boolean => readStats(path)?.isDirectory() ?? false;
