import type { PlatformResource } from '../../contract/routes/overview.js';
import type { EventType } from '../../protocol/events.js';
import { scopeOfEvent } from '../../protocol/scopes.js';

/** Returns an event that can be sent without a warning about a missing scope, if there is one. */
export const firstEvent = ({ integration }: PlatformResource): EventType =>
  events.find((type) => integration.scopes.some((scope) => scope === scopeOfEvent(type))) ?? events[0];

const events = ['space_content_updated', 'site_view', 'space_gitsync_started'] as const;
