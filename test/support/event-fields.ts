/** The documented fields of each webhook event, sorted. */
export const eventFields = {
  space_content_updated: ['eventId', 'installationId', 'revisionId', 'spaceId', 'type'],
  site_view: ['eventId', 'installationId', 'referrer', 'siteId', 'type', 'url', 'visitor'],
  page_feedback: 'eventId feedback installationId pageId referrer siteId spaceId type url visitor'.split(' '),
};
