/** @import { WebhookEvent } from 'integration-platform' */
/** @import { Context } from '../platform-env' */
import { verifySignature } from 'integration-platform/webhooks';
import { handleEvent } from './handle-event';

/**
 * Responds immediately, and handles the event after the response is sent.
 *
 * @param {Request} request
 * @param {Context} context
 */
export async function receiveWebhook(request, context) {
  if (request.method !== 'POST') {
    return new Response('Method not allowed', { status: 405, headers: { Allow: 'POST' } });
  }

  // The signature covers the bytes as sent, so it is checked before anything is parsed.
  const body = new Uint8Array(await request.arrayBuffer());
  const signature = request.headers.get('X-Platform-Signature');
  const secret = context.environment.secrets.WEBHOOK_SECRET;
  if (!(await verifySignature(body, signature, secret, { toleranceSeconds: 300 }))) {
    return Response.json({ error: 'Invalid signature' }, { status: 401 });
  }

  /** @type {WebhookEvent} */
  const event = JSON.parse(new TextDecoder().decode(body));
  if (isNew(event.eventId)) context.waitUntil(handleEvent(event));
  return Response.json({ received: true });
}

/** @type {Set<string>} */
const handled = new Set();

/**
 * If a response is lost, the sender sends the same event again. This check is only best effort, because the
 * repeated event may reach another process, so handleEvent must be safe to repeat.
 *
 * @param {string} eventId
 */
function isNew(eventId) {
  if (handled.has(eventId)) return false;
  handled.add(eventId);
  const [oldest] = handled;
  if (handled.size > 10_000 && oldest !== undefined) handled.delete(oldest);
  return true;
}
