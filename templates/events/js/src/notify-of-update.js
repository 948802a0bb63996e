/** @import { SpaceContentUpdatedEvent } from 'integration-platform' */
/** @import { Context } from '../platform-env' */

/**
 * Sends a message to the configured URL when a space has changed.
 *
 * @param {SpaceContentUpdatedEvent} event
 * @param {Context} context
 */
export async function notifyOfUpdate(event, context) {
  const url = context.environment.installation?.configuration.notify_url;
  if (!url) return;

  const { data: space } = await context.api.spaces.getSpaceById(event.spaceId);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: `${space.title} has changed.`, revision: event.revisionId }),
  });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`);
}
