import type { AnswerHead } from './call-head.js';
import type { Message } from './exchange.js';
import { createWholeResponse } from './whole-response.js';

const bodiless = new Set([204, 205, 304]);

/** The web's view of an answer. One that came in one piece costs no stream. */
export function toResponse({ head: { status, headers }, body }: Message<AnswerHead>): Response {
  const init = { status, headers };
  if (!(body instanceof Uint8Array)) return new Response(body, init);
  return bodiless.has(status) ? new Response(null, init) : createWholeResponse(body, init);
}
