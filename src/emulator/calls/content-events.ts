import type { PlatformBase } from '../state/platform-base.js';
import type { SpaceContentUpdatedEvent, SpaceVisibilityUpdatedEvent } from '../../protocol/events.js';
import { localUser } from '../../protocol/workspace.js';
import { newId } from '../state/new-id.js';
import { callOfEvent, type EventSender } from './event-sender.js';

export type ContentEvents = ReturnType<typeof createContentEvents>;

/** A revision and a commit with the same content. */
export interface GitSync {
  revisionId: string;
  commitId: string;
}

export function createContentEvents(
  deps: Pick<PlatformBase, 'registry' | 'background'> & { events: EventSender },
) {
  const { registry, events, background } = deps;

  const forEach = (space: string, send: (installation: string) => Promise<unknown>): void => {
    const installed = registry.installations
      .all()
      .filter(({ id, paused }) => !paused && registry.placement(id, 'space', space) !== undefined);
    for (const { id } of installed) background.run(send(id));
  };

  return {
    /** Sends the event for a new revision to every installation in the space and to webhook endpoints. */
    updated: (spaceId: string, revisionId: string) =>
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
      }),
    /** Sends both events of a Git sync to every installation in the space. */
    synced: (spaceId: string, { revisionId, commitId }: GitSync) =>
      forEach(spaceId, async (installationId) => {
        const target = { installation: installationId, space: spaceId };
        const sync = { installationId, spaceId, revisionId, commitId };
        await events.fire({ type: 'space_gitsync_started', ...sync }, target);
        await events.fire({ type: 'space_gitsync_completed', ...sync, state: 'success' }, target);
      }),
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
  };
}
