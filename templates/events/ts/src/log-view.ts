import { Logger, type SpaceViewEvent } from 'integration-platform';

const logger = Logger('views');

/** Writes down which page was read, and nothing about who read it. */
export async function logView({ url }: SpaceViewEvent): Promise<void> {
  logger.info(`${new URL(url).pathname} was read`);
}
