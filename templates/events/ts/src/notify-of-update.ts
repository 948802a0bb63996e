import type { SpaceContentUpdatedEvent } from 'integration-platform';
import type { Context } from '../platform-env';

/** Tells the address in the settings that a space has changed. */
export async function notifyOfUpdate(event: SpaceContentUpdatedEvent, context: Context): Promise<void> {
  const address = context.environment.installation?.configuration.notify_url;
  if (!address) return;

  const { data: space } = await context.api.spaces.getSpaceById(event.spaceId);
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: `${space.title} has changed.`, revision: event.revisionId }),
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
}
