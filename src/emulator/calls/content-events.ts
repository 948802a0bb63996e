import type { Background } from '../../base/background-work.js';
import type { Clock } from '../../base/clock.js';
import type { SpaceContentUpdatedEvent, WebhookEvent } from '../../protocol/events.js';
import type { CallEffect } from '../../protocol/log-and-outbound-types.js';
import { localUser } from '../../protocol/workspace.js';
import { newId } from '../state/new-id.js';
import type { Registry } from '../state/registry.js';
import { callOfEvent, type EventSender } from './event-sender.js';

/** Sends the event of a new revision to every installation in the space, and to webhooks. */
export function createContentEvents(deps: {
  registry: Registry;
  events: EventSender;
  clock: Pick<Clock, 'now'>;
  background: Background;
  forward: (event: WebhookEvent) => Promise<string[]>;
}): (space: string, revisionId: string) => void {
  const { registry, events, clock, background, forward } = deps;
  return (space, revisionId) => {
    const installed = registry.installations
      .all()
      .filter(({ id, paused }) => !paused && registry.placement(id, 'space', space) !== undefined);
    for (const { id: installation } of installed) background.run(send(installation, space, revisionId));
  };

  async function send(installation: string, space: string, revisionId: string): Promise<void> {
    const event: SpaceContentUpdatedEvent = {
      eventId: newId('evt'),
      type: 'space_content_updated',
      installationId: installation,
      spaceId: space,
      revisionId,
      updatedBy: [{ ...localUser }],
    };
    const deliveries = await forward(event);
    const time = clock.now();
    const effects = deliveries.map((id): CallEffect => ({ type: 'delivery', time, id }));
    await events.fire(event, { installation, space }, { id: callOfEvent(event.eventId), effects });
  }
}
