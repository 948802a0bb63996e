import { FSWatcher } from 'chokidar';
import { readStats } from '../../base/node/read-stats.js';

/**
 * Uses only the library's raw events, which are emitted first. After each event, the library would list and stat all
 * entries in the folder unless this private method claims that it has just done so. No option turns this off, so the
 * library's version is pinned.
 */
class FolderEvents extends FSWatcher {
  override _throttle(): false {
    return false;
  }
}

export type FolderWatcher = ReturnType<typeof watchFolders>;

/** Reports which folders have changed, but not what changed in them. */
export function watchFolders(onEvent: (folder: string) => void) {
  const opened = new Map<string, { identity: string; events: FSWatcher }>();

  const close = (folder: string, events: FSWatcher): void => {
    void events.close();
    if (opened.get(folder)?.events === events) opened.delete(folder);
  };

  const open = (folder: string): void => {
    const events = new FolderEvents().add(folder);
    opened.set(folder, { identity: readIdentity(folder), events });
    const report = (): void => onEvent(folder);
    events
      .on('raw', report)
      // Also reports when ready, because a change just before 'ready' does not cause an event.
      .on('ready', report)
      // Either the system has no watches left or the folder was removed. The caller still checks the folder periodically.
      .on('error', () => close(folder, events));
  };

  return {
    /** Watches these folders instead of the previous ones. */
    watch(folders: ReadonlySet<string>) {
      for (const [folder, { identity, events }] of opened)
        if (!folders.has(folder) || readIdentity(folder) !== identity) close(folder, events);
      for (const folder of folders) if (!opened.has(folder)) open(folder);
    },
    close() {
      for (const [folder, { events }] of opened) close(folder, events);
    },
  };
}

/**
 * Returns an id that distinguishes folders with the same path. A folder that was deleted and recreated is a different
 * folder.
 */
function readIdentity(folder: string): string {
  const stats = readStats(folder);
  return stats ? `${stats.dev} ${stats.ino} ${stats.birthtimeMs}` : 'missing';
}
