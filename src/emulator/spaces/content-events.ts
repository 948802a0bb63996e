import type { Content } from '../../content/index.js';
import type {
  SpaceContentUpdatedEvent,
  SpaceGitSyncStartedEvent,
  SpaceVisibilityUpdatedEvent,
} from '../../protocol/events.js';
import { sampleEvent } from '../../protocol/sample-events.js';
import { localUser } from '../../protocol/workspace.js';
import { callOfEvent, newId } from '../state/new-id.js';
import type { PlatformBase } from '../state/platform-base.js';
import type { Spaces } from './spaces.js';
import type { EventSender } from '../calls/event-sender.js';

export type ContentEvents = ReturnType<typeof createContentEvents>;

/** A revision and a commit with the same content. */
type GitSync = Pick<SpaceGitSyncStartedEvent, 'revisionId' | 'commitId'> & { from?: string | undefined };

/** Sends the events for changes in the mounted folders, and for changes made in the console or through the API. */
export function createContentEvents(
  deps: Pick<PlatformBase, 'registry' | 'feed' | 'background'> & {
    events: EventSender;
    spaces: Spaces;
    contents: ReadonlyMap<string, Content>;
  },
) {
  const { registry, feed, background, events, spaces, contents } = deps;

  const forEach = (space: string, send: (installation: string) => Promise<unknown>): void => {
    const installed = registry.installations
      .all()
      .filter(({ id, paused }) => !paused && registry.placement(id, 'space', space) !== undefined);
    for (const { id } of installed) background.run(send(id));
  };
  /** Sends the event for a new revision to every installation in the space and to webhook endpoints. */
  const updated = (spaceId: string, revisionId: string): void =>
    forEach(spaceId, async (installationId) => {
      const event: SpaceContentUpdatedEvent = {
        eventId: newId('evt'),
        type: 'space_content_updated',
        installationId,
        spaceId,
        revisionId,
        updatedBy: [{ ...localUser }],
      };
      const target = { installation: installationId, space: spaceId };
      await events.fireAndForward(event, target, { id: callOfEvent(event.eventId) });
    });
  /** Sends both events of a Git sync to every installation in the space. */
  const synced = (spaceId: string, { revisionId, commitId, from }: GitSync): void =>
    forEach(spaceId, async (installationId) => {
      const target = { installation: installationId, space: spaceId };
      const sync = { installationId, spaceId, revisionId, commitId };
      await events.fire({ type: 'space_gitsync_started', ...sync }, target, { from });
      await events.fire({ type: 'space_gitsync_completed', ...sync, state: 'success' }, target, { from });
    });
  for (const [space, content] of contents) {
    content.subscribe(({ id }) => {
      feed.emitToConsole({ type: 'content', space });
      updated(space, id);
    });
    content.subscribeToSyncs(({ id, git, from }) =>
      synced(space, { revisionId: id, commitId: git.oid, from }),
    );
  }

  return {
    visibilityChanged: (
      spaceId: string,
      change: Pick<SpaceVisibilityUpdatedEvent, 'visibility' | 'previousVisibility'>,
    ) =>
      forEach(spaceId, (installationId) =>
        events.fire(
          { type: 'space_visibility_updated', installationId, spaceId, ...change },
          { installation: installationId, space: spaceId },
        ),
      ),
    /** Syncs a space with Git for a call and sends both sync events. Throws if the space does not exist. */
    async sync(space: string, from?: string) {
      const revisionId = spaces.content(space).revision().id;
      if (await contents.get(space)?.sync(from)) return;
      // If the space has no folder, the commit is a sample, like the space's page.
      const sample = sampleEvent('space_gitsync_started', { installationId: '', spaceId: space, newId });
      synced(space, { revisionId, commitId: sample.commitId, from });
    },
  };
}
