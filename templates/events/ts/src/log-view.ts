import { Logger, type SpaceViewEvent } from 'integration-platform';

const logger = Logger('views');

/** Logs which page was viewed, but nothing about the visitor. */
export async function logView({ url }: SpaceViewEvent): Promise<void> {
  logger.info(`${new URL(url).pathname} was viewed`);
}
