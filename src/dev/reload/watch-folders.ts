import { FSWatcher } from 'chokidar';
import { readStats } from '../../base/node/read-stats.js';

/**
 * Only the raw events are wanted, which come first. At each of them all entries would be listed and looked at, as
 * often as this method of the library allows, and no option turns that off. Its version is pinned for that.
 */
class FolderEvents extends FSWatcher {
  override _throttle(): false {
    return false;
  }
}

export interface FolderWatcher {
  /** From now on these, instead of the ones before. */
  watch(folders: ReadonlySet<string>): void;
  close(): void;
}

/** Reports that something has happened in one of the folders, not what. */
export function watchFolders(onEvent: () => void): FolderWatcher {
  const opened = new Map<string, { identity: string; events: FSWatcher }>();

  const close = (folder: string, events: FSWatcher): void => {
    void events.close();
    if (opened.get(folder)?.events === events) opened.delete(folder);
  };

  const open = (folder: string): void => {
    const events = new FolderEvents().add(folder);
    opened.set(folder, { identity: readIdentity(folder), events });
    events
      .on('raw', onEvent)
      // There is no event for what happened just before.
      .on('ready', onEvent)
      // No watches left, or the folder is gone meanwhile: the caller still looks from time to time.
      .on('error', () => close(folder, events));
  };

  return {
    watch(folders) {
      for (const [folder, { identity, events }] of opened)
        if (!folders.has(folder) || readIdentity(folder) !== identity) close(folder, events);
      for (const folder of folders) if (!opened.has(folder)) open(folder);
    },
    close() {
      for (const [folder, { events }] of opened) close(folder, events);
    },
  };
}

/** A folder that was replaced by another of the same name is not the same. */
function readIdentity(folder: string): string {
  const stats = readStats(folder);
  return stats ? `${stats.dev} ${stats.ino} ${stats.birthtimeMs}` : 'missing';
}
