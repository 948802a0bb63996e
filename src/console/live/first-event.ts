import type { PlatformResource } from '../../contract/routes/overview.js';
import type { EventType } from '../../protocol/events.js';
import { scopeOfEvent } from '../../protocol/scopes.js';

export function firstCommand({ integration }: PlatformResource): string {
  const event = firstEvent(integration);
  const [block] = integration.blocks;
  return block && !event ? `platform render ${block.id}` : `platform trigger ${event ?? events[0]}`;
}

/** Returns an event whose scope the manifest requests. Without the scope, the script is unlikely to have a handler. */
export const firstEvent = ({ scopes }: PlatformResource['integration']): EventType | undefined =>
  events.find((type) => scopes.some((scope) => scope === scopeOfEvent(type)));

const events = ['space_content_updated', 'site_view', 'space_gitsync_started'] as const;
