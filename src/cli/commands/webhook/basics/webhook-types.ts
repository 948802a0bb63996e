import { nearest } from '../../../../base/did-you-mean.js';
import { UserError } from '../../../../base/user-error.js';
import type { WebhookEvent } from '../../../../protocol/events.js';
import { webhookTypes } from '../../../../protocol/webhook-events.js';

/** Throws if events of this type are never delivered. */
export function readType(type: string): WebhookEvent['type'] {
  const found = webhookTypes.find((one) => one === type);
  if (found) return found;
  const close = nearest(type, webhookTypes);
  const hint = close ? `Did you mean ${close}?` : `Choose one of ${webhookTypes.join(', ')}.`;
  throw new UserError('unknown-event', `Unknown webhook event: "${type}".`, hint);
}

/** Throws if nothing can be sent to the URL. */
export function checkAddress(text: string): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return;
  throw new UserError(
    'bad-url',
    `"${text}" is not an http or https URL.`,
    'Use a full URL, such as http://127.0.0.1:3000/webhook',
  );
}
