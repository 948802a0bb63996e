/** @import { WebhookEvent } from 'integration-platform' */
import { Logger } from 'integration-platform';

const logger = Logger('webhook');

/**
 * Handles an event whose signature is valid.
 *
 * @param {WebhookEvent} event
 */
export async function handleEvent(event) {
  switch (event.type) {
    case 'space_content_updated':
      logger.info(`Space ${event.spaceId} has the new revision ${event.revisionId}`);
      break;
    case 'site_view':
      logger.info(`${event.url} was viewed`);
      break;
    case 'page_feedback':
      logger.info(`Page ${event.pageId} was rated ${event.feedback.rating}`);
      break;
  }
}
