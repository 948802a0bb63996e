/** @import { SpaceViewEvent } from 'integration-platform' */
import { Logger } from 'integration-platform';

const logger = Logger('views');

/**
 * Logs which page was viewed, but nothing about the visitor.
 *
 * @param {SpaceViewEvent} event
 */
export async function logView({ url }) {
  logger.info(`${new URL(url).pathname} was viewed`);
}
