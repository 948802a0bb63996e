import { realpathSync } from 'node:fs';
import { parse, sep } from 'node:path';
import { foldersUp } from '../../base/node/folders-up.js';
import { readStats } from '../../base/node/read-stats.js';
import { watchFolders } from './watch-folders.js';

interface WatchOptions {
  signal: AbortSignal;
  /** How long to wait for other events caused by the same save. */
  settleMs: number;
  /** How often to look for changes that cause no event, such as renaming a parent folder. */
  heartbeatMs?: number;
}

export interface Watcher {
  /** Watches these paths instead of the previous ones. */
  watch(paths: readonly string[]): void;
  /** Checks immediately. Changes found by this check are not reported again. */
  look(): boolean;
  close(): void;
}

/**
 * Reports files that were written, created, removed or replaced, and folders whose entries changed. The watched paths
 * need not exist. Events only trigger a check, so if one is lost, the change is reported at most half a second later.
 */
export function watchFiles(
  paths: readonly string[],
  onChange: (changed: string[]) => void,
  { signal, settleMs, heartbeatMs = 500 }: WatchOptions,
): Watcher {
  let states = new Map<string, string>();
  const folders = watchFolders(checkSoon);
  let timer: NodeJS.Timeout | undefined;
  let soon = false;
  let closed = signal.aborted;

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(check, ms);
  };

  function checkSoon(): void {
    if (soon || closed) return;
    soon = true;
    schedule(settleMs);
  }

  function check(): void {
    soon = false;
    schedule(heartbeatMs);
    const changed = takeChanged();
    folders.watch(new Set([...states.keys()].filter(isFollowed).flatMap(foldersOf)));
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

  function close(): void {
    closed = true;
    clearTimeout(timer);
    folders.close();
    states.clear();
  }

  const watcher: Watcher = {
    watch(paths) {
      // A reload that was already running when the watcher was closed may still call this.
      if (closed) return;
      states = new Map(paths.map((path) => [path, states.get(path) ?? readState(path)]));
      // Checks later, because the caller has more urgent work. The check also finds the changes made in the meantime.
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

/**
 * Whether to watch for events at a path. Thousands of package files can change together, and they are not urgent, so
 * checking them at each heartbeat is enough.
 */
const isFollowed = (path: string): boolean => !path.split(sep).includes('node_modules');

/** Returns the folders whose events affect a path: its own folder and, if the path is a symlink, the target's folder. */
function foldersOf(path: string): string[] {
  try {
    return [nearestFolder(path), nearestFolder(realpathSync(path))];
  } catch {
    return [nearestFolder(path)];
  }
}

/** Returns the path itself if it is a folder, or else its nearest existing parent folder. */
const nearestFolder = (path: string): string =>
  [...foldersUp(path)].find((folder) => readStats(folder)?.isDirectory()) ?? parse(path).root;
