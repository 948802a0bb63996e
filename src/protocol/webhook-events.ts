import type { PlatformEvent, WebhookEvent } from './events.js';

/** The event types that an endpoint of a site or space can subscribe to. */
export const selectableEvents: Readonly<Record<'space' | 'site', readonly WebhookEvent['type'][]>> = {
  space: ['space_content_updated'],
  site: ['site_view', 'page_feedback'],
};

export const webhookTypes: readonly WebhookEvent['type'][] = Object.values(selectableEvents).flat();

export const isWebhookEvent = (event: PlatformEvent): event is WebhookEvent =>
  webhookTypes.some((type) => type === event.type);

/** Returns the space or site whose endpoints receive the event. */
export const webhookTarget = (event: WebhookEvent): { type: 'space' | 'site'; id: string } =>
  event.type === 'space_content_updated'
    ? { type: 'space', id: event.spaceId }
    : { type: 'site', id: event.siteId };
