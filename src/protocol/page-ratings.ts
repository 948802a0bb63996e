import type { PlatformEvent, WebhookEvent } from './events.js';

/** The ratings that readers can choose on the documentation site. */
export const pageRatings = ['good', 'ok', 'bad'] as const;

/**
 * Returns a note if an event contains a rating that the site never sends. Such ratings are allowed, because the protocol
 * accepts any value in this field.
 */
export function noteUnusualRating(event: PlatformEvent | WebhookEvent): string | undefined {
  if (event.type !== 'page_feedback') return undefined;
  const { rating } = event.feedback;
  return (pageRatings as readonly string[]).includes(rating)
    ? undefined
    : `feedback.rating is ${JSON.stringify(rating.slice(0, 60))}. Readers can choose only ${pageRatings.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`;
}
