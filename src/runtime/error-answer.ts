import { EnvelopeError } from '../protocol/envelope.js';
import { isExposable } from './exposable-error.js';
import { Logger } from './logger.js';

const logger = Logger('integrations');

/** An error as the caller may see it. What it may not see goes to the log. */
export function errorAnswer(error: unknown): Response {
  if (error instanceof EnvelopeError) return answer(error.message, error.status);
  if (isExposable(error)) {
    logger.info(`Answered ${error.code}: ${error.message}`);
    return answer(error.message, error.code);
  }
  logger.error((error instanceof Error && error.stack) || String(error));
  return answer('Internal server error', 500);
}

function answer(error: string, code: number): Response {
  // Only these statuses can carry a body; a code may be anything that an author has put there.
  const status = code >= 400 && code <= 599 ? code : 500;
  return Response.json({ error }, { status });
}
