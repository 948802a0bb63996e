import type { Content } from '../../content/index.js';
import { sampleEvent } from '../../protocol/sample-events.js';
import { newId } from '../state/new-id.js';
import type { Spaces } from '../state/spaces.js';
import type { ContentEvents, GitSync } from './content-events.js';

/** Syncs a space with Git and sends both sync events. Throws if the space does not exist. */
export type SyncSpace = (space: string) => Promise<GitSync>;

export const createSpaceSync =
  (deps: {
    spaces: Spaces;
    contents: ReadonlyMap<string, Content>;
    contentEvents: ContentEvents;
  }): SyncSpace =>
  async (space) => {
    const { spaces, contents, contentEvents } = deps;
    const revisionId = spaces.content(space).revision().id;
    const synced = await contents.get(space)?.sync();
    if (synced) return { revisionId: synced.id, commitId: synced.git.oid };
    // If the space has no folder, the commit is a sample, like the space's page.
    const { commitId } = sampleEvent('space_gitsync_started', { installationId: '', spaceId: space, newId });
    const sync = { revisionId, commitId };
    contentEvents.synced(space, sync);
    return sync;
  };
