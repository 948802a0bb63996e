/** @import { {{eventType}} } from 'integration-platform' */
import { Logger } from 'integration-platform';

const logger = Logger('{{type}}');

/** @param { {{eventType}} } event */
export async function {{variable}}(event) {
  logger.info(`${event.type} for installation ${event.installationId}`);
}
