import { Logger, type {{eventType}} } from 'integration-platform';

const logger = Logger('{{type}}');

export async function {{variable}}(event: {{eventType}}): Promise<void> {
  logger.info(`${event.type} for installation ${event.installationId}`);
}
