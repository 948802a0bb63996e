import { nearest } from '../../../base/did-you-mean.js';
import { UserError } from '../../../base/user-error.js';
import type { WebhookEvent } from '../../../protocol/events.js';
import { selectableEvents } from '../../../webhooks/check-endpoint.js';
import type { EndpointTarget } from '../../../webhooks/endpoint.js';

export const webhookTypes: readonly WebhookEvent['type'][] = Object.values(selectableEvents).flat();

export const placeOfType = (type: WebhookEvent['type']): EndpointTarget['type'] =>
  selectableEvents.space.includes(type) ? 'space' : 'site';

/** Throws where nothing of this type is ever delivered. */
export function readType(type: string): WebhookEvent['type'] {
  const found = webhookTypes.find((one) => one === type);
  if (found) return found;
  const close = nearest(type, webhookTypes);
  const hint = close ? `Did you mean ${close}?` : `There is: ${webhookTypes.join(', ')}.`;
  throw new UserError('unknown-event', `There is no webhook event ${type}.`, hint);
}

/** Throws where nothing could be sent to. */
export function checkAddress(text: string): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return;
  throw new UserError(
    'bad-url',
    `"${text}" is not an http or https address.`,
    'Write it whole, such as http://127.0.0.1:3000/webhook',
  );
}
