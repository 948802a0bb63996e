/** @import { SpaceViewEvent } from 'integration-platform' */
import { Logger } from 'integration-platform';

const logger = Logger('views');

/**
 * Writes down which page was read, and nothing about who read it.
 *
 * @param {SpaceViewEvent} event
 */
export async function logView({ url }) {
  logger.info(`${new URL(url).pathname} was viewed`);
}
