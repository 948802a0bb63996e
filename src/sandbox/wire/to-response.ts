import type { AnswerHead } from './call-head.js';
import type { Message } from './request-exchange.js';
import { createWholeResponse } from './whole-response.js';

const bodiless = new Set([204, 205, 304]);

/** How a body is framed is the affair of each connection that it passes. */
const ofTheConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The web's view of an answer. One that came in one piece costs no stream. A script can forge the head: this
 * throws where it is none, and the length that goes on is the one that was counted.
 */
export function toResponse({ head, body }: Message<AnswerHead>, method: string): Response {
  const { status } = head;
  const headers: AnswerHead['headers'] = [];
  let declared: string | undefined;
  for (const [name, value] of head.headers) {
    const key = name.toLowerCase();
    if (key === 'content-length') declared = value;
    else if (!ofTheConnection.has(key)) headers.push([name, value]);
  }
  const init = { status, headers };
  if (!(body instanceof Uint8Array)) return new Response(body, init);
  if (bodiless.has(status)) return new Response(null, init);
  // Without the body, its length is known where it was made.
  if (method !== 'HEAD') headers.push(['content-length', String(body.length)]);
  else if (declared !== undefined && /^\d{1,15}$/.test(declared)) headers.push(['content-length', declared]);
  return createWholeResponse(body, init);
}
