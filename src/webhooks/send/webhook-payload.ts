import type { Visitor, WebhookEvent } from '../../protocol/events.js';

/** Returns a webhook event's payload, which contains only the documented fields. */
export function webhookPayload(event: WebhookEvent): WebhookEvent {
  const { eventId, installationId } = event;
  switch (event.type) {
    case 'space_content_updated': {
      const { type, spaceId, revisionId } = event;
      return { eventId, type, installationId, spaceId, revisionId };
    }
    case 'site_view': {
      const { type, siteId, url, referrer } = event;
      return { eventId, type, installationId, siteId, visitor: visitorOf(event), url, referrer };
    }
    case 'page_feedback': {
      const { type, siteId, spaceId, pageId, url, referrer } = event;
      const { rating, comment } = event.feedback;
      const visitor = visitorOf(event);
      const feedback = { rating, comment };
      return { eventId, type, installationId, siteId, spaceId, pageId, feedback, visitor, url, referrer };
    }
  }
}

function visitorOf({ visitor }: { visitor: Visitor }): Visitor {
  const { anonymousId, userAgent, ip, cookies } = visitor;
  return { anonymousId, userAgent, ip, cookies };
}
