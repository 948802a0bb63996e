import type { ExposableError } from '../../protocol/exposable-error.js';
import { logger } from '../logger.js';

/** An error as the caller may see it. What it may not see goes to the log. */
export const errorAnswer = (error: unknown): Response => {
  const { exposable, code, message, stack = error } = (error ?? {}) as ExposableError;
  if (!exposable) {
    logger.error(String(stack));
    return answer('Internal server error', 500);
  }
  // 406 is every event that the integration has no use for: the platform shows those, where asked.
  if (code !== 406) logger.info(`Answered ${code}: ${message}`);
  return answer(message, code);
};

/** An answer that tells what is wrong. A code may be anything that an author has put there. */
export const answer = (error: string, code: number): Response =>
  Response.json({ error }, { status: code >= 400 && code <= 599 ? code : 500 });
