import type { WebhookEvent } from '../protocol/events.js';
import { selectableEvents, webhookTarget } from '../protocol/webhook-events.js';
import type { Endpoint } from './model/endpoint.js';
import { WebhookError } from './model/webhook-error.js';

function checkUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return 'A webhook endpoint needs a URL.';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return `"${text}" is not an http or https URL.`;
  return url.username === '' && url.password === ''
    ? undefined
    : 'The URL must not contain a user name or password.';
}

function checkEvents({
  events = [],
  target,
}: Partial<Pick<Endpoint, 'events' | 'target'>>): string | undefined {
  if (!target?.id || !Object.hasOwn(selectableEvents, target.type)) {
    return 'A webhook endpoint needs a target: a space or a site, and its id.';
  }
  const selectable: readonly string[] = selectableEvents[target.type];
  const wrong = events.filter((type) => !selectable.includes(type));
  if (wrong.length > 0) {
    return `${wrong.join(', ')} cannot be sent from a ${target.type}; ${selectable.join(' and ')} can.`;
  }
  return events.length === 0
    ? `A webhook endpoint needs at least one event type: ${selectable.join(' or ')}.`
    : undefined;
}

/** Throws if the endpoint is invalid. JavaScript callers may omit fields. */
export function checkEndpoint(
  endpoint: Partial<Pick<Endpoint, 'url' | 'events' | 'target' | 'secret'>>,
): void {
  const noSecret = !endpoint.secret ? 'The secret must not be empty.' : undefined;
  const problem = checkUrl(endpoint.url) ?? checkEvents(endpoint) ?? noSecret;
  if (problem !== undefined) throw new WebhookError('invalid-endpoint', problem);
}

const definition = ({ url, events, target, secret }: Endpoint): string =>
  JSON.stringify([url, events, target?.type, target?.id, secret]);

/**
 * Throws if a change makes the endpoint invalid. An endpoint that was already invalid when it was stored can still be disabled.
 */
export function checkChange(before: Endpoint, after: Endpoint): void {
  if (definition(before) !== definition(after)) checkEndpoint(after);
}

/** Whether the endpoint should receive this event. */
export function isSelectedBy(event: WebhookEvent, { installationId, target, events }: Endpoint): boolean {
  const { type, id } = webhookTarget(event);
  return (
    event.installationId === installationId &&
    type === target.type &&
    id === target.id &&
    events.includes(event.type)
  );
}
