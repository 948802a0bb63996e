import { EnvelopeError } from '../protocol/envelope.js';
import { isExposable } from './exposable-error.js';
import { logger } from './logger.js';

/** An error as the caller may see it. What it may not see goes to the log. */
export function errorAnswer(error: unknown): Response {
  if (error instanceof EnvelopeError) return answer(error.message, error.status);
  if (isExposable(error)) {
    // 406 is every event that the integration has no use for: the platform shows those, where asked.
    if (error.code !== 406) logger.info(`Answered ${error.code}: ${error.message}`);
    return answer(error.message, error.code);
  }
  logger.error((error as Error | undefined)?.stack ?? String(error));
  return answer('Internal server error', 500);
}

/** An answer that tells what is wrong. A code may be anything that an author has put there. */
export const answer = (error: string, code: number): Response =>
  Response.json({ error }, { status: code >= 400 && code <= 599 ? code : 500 });
