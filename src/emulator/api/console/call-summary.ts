import type { PlatformEvent } from '../../../protocol/events.js';

export interface TrafficSubject {
  site?: string;
  space?: string;
  component?: string;
  action?: string;
  /** In a few words: a status, an address, a task. */
  subject?: string;
}

/** What an event is about, as far as a line of a list can tell. */
export function trafficSubject(event: PlatformEvent | undefined): TrafficSubject {
  if (!event) return {};
  const place = {
    ...('siteId' in event && event.siteId !== undefined && { site: event.siteId }),
    ...('spaceId' in event && event.spaceId !== undefined && { space: event.spaceId }),
  };
  switch (event.type) {
    case 'ui_render':
      return {
        ...place,
        component: event.componentId,
        ...(event.action && { action: event.action.action }),
      };
    case 'installation_setup':
    case 'space_installation_setup':
    case 'site_installation_setup': {
      const before = event.previous?.status;
      const changed = before !== undefined && before !== event.status;
      return { ...place, subject: changed ? `${before} → ${event.status}` : event.status };
    }
    case 'task':
      return { subject: event.task.type };
    case 'space_view':
    case 'site_view':
    case 'page_feedback':
      return { ...place, subject: event.url };
    case 'fetch':
      return { subject: event.request.url };
    case 'content_compute_revision':
    case 'content_compute_document':
      return { subject: event.sourceId };
    default:
      return place;
  }
}
