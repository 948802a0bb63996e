import { realpathSync } from 'node:fs';
import { parse, sep } from 'node:path';
import { FSWatcher } from 'chokidar';
import { foldersUp } from '../../base/node/folders-up.js';
import { readStats } from '../../base/node/read-stats.js';

/** Finds what no event told, such as the renaming of a folder further up. */
const heartbeat = 500;

/**
 * Only the raw events are wanted, which come first. At each of them all entries would be listed and looked at, as
 * often as this method of the library allows, and no option turns that off. Its version is pinned for that.
 */
class FolderEvents extends FSWatcher {
  override _throttle(): false {
    return false;
  }
}

interface WatchOptions {
  signal: AbortSignal;
  /** One save is a burst of events: how long the rest of it is waited for. */
  settleMs: number;
}

export interface Watcher {
  /** From now on these, instead of the ones before. */
  watch(paths: readonly string[]): void;
  /** Looks at once. What it finds is not told any more. */
  look(): boolean;
  close(): void;
}

/**
 * Tells which files were written, made, removed or replaced; of a folder, whether entries came or went.
 * None of them need exist. Events only say when to look, so that a lost one costs half a second at most.
 */
export function watchFiles(
  paths: readonly string[],
  onChange: (changed: string[]) => void,
  { signal, settleMs }: WatchOptions,
): Watcher {
  let states = new Map<string, string>();
  const folders = new Map<string, { state: string; events: FSWatcher }>();
  let timer: NodeJS.Timeout | undefined;
  let soon = false;
  let closed = signal.aborted;

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(check, ms);
  };
  const checkSoon = (): void => {
    if (soon || closed) return;
    soon = true;
    schedule(settleMs);
  };

  function check(): void {
    soon = false;
    schedule(heartbeat);
    const changed = takeChanged();
    openFolders();
    if (changed.length > 0) onChange(changed);
  }

  function takeChanged(): string[] {
    const changed: string[] = [];
    for (const [path, before] of states) {
      const now = readState(path);
      if (now === before) continue;
      states.set(path, now);
      changed.push(path);
    }
    return changed;
  }

  function openFolders(): void {
    const needed = new Set([...states.keys()].filter(isFollowed).flatMap(foldersOf));
    for (const [folder, { state, events }] of folders) {
      if (needed.has(folder) && readIdentity(folder) === state) continue;
      void events.close();
      folders.delete(folder);
    }
    for (const folder of needed) if (!folders.has(folder)) openFolder(folder);
  }

  function openFolder(folder: string): void {
    const events = new FolderEvents().add(folder);
    folders.set(folder, { state: readIdentity(folder), events });
    events
      .on('raw', checkSoon)
      // No event tells what happened just before.
      .on('ready', checkSoon)
      .on('error', () => {
        // No more watches, or gone meanwhile: the heartbeat looks after it.
        void events.close();
        folders.delete(folder);
      });
  }

  function close(): void {
    closed = true;
    clearTimeout(timer);
    for (const { events } of folders.values()) void events.close();
    folders.clear();
    states.clear();
  }

  const watcher: Watcher = {
    watch(paths) {
      // A reload that was under way ends later.
      if (closed) return;
      states = new Map(paths.map((path) => [path, states.get(path) ?? readState(path)]));
      // Whoever calls this has more urgent work, and what happens meanwhile is seen by the check.
      checkSoon();
    },
    look: () => takeChanged().length > 0,
    close,
  };
  watcher.watch(paths);
  signal.addEventListener('abort', close, { once: true });
  return watcher;
}

function readState(path: string): string {
  const stats = readStats(path);
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}` : 'missing';
}

function readIdentity(folder: string): string {
  const stats = readStats(folder);
  return stats ? `${stats.dev} ${stats.ino} ${stats.birthtimeMs}` : 'missing';
}

/** Among packages, files change by the thousand, and in no hurry: the heartbeat is enough. */
const isFollowed = (path: string): boolean => !path.split(sep).includes('node_modules');

/** The folders whose events tell of a path: where it is, and where a link leads that it is. */
function foldersOf(path: string): string[] {
  try {
    return [nearestFolder(path), nearestFolder(realpathSync(path))];
  } catch {
    return [nearestFolder(path)];
  }
}

/** The path itself where it is a folder, else the nearest above that exists. */
const nearestFolder = (path: string): string =>
  [...foldersUp(path)].find((folder) => readStats(folder)?.isDirectory()) ?? parse(path).root;
