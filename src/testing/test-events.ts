import type { Emulator } from '../emulator/index.js';
import type { PlatformEvent, WebhookEvent } from '../protocol/events.js';
import { sampleEvent } from '../protocol/sample-events.js';
import type { Workspace } from '../protocol/workspace.js';
import type { TestEvent, TestEventResult, TestPlace, TestDelivery, TestWebhook } from './test-platform.js';

/** Plausible values for all that a test leaves out. */
export function fillOutEvent(
  event: TestEvent,
  installationId: string,
  { spaces, sites }: Workspace,
): PlatformEvent {
  const scene = {
    installationId,
    ...(spaces[0] && { spaceId: spaces[0].id }),
    ...(sites[0] && { siteId: sites[0].id }),
  };
  return { ...sampleEvent(event.type, scene), ...event } as PlatformEvent;
}

/** The site or the space that an event speaks of. */
export function placeOfEvent(event: PlatformEvent): TestPlace {
  if ('siteId' in event && event.siteId !== undefined) return { site: event.siteId };
  return 'spaceId' in event && event.spaceId !== undefined ? { space: event.spaceId } : {};
}

/** Those that the platform sends to webhooks too. */
export const isWebhookEvent = (event: PlatformEvent): event is WebhookEvent =>
  ['space_content_updated', 'site_view', 'page_feedback'].includes(event.type);

type Fired = Awaited<ReturnType<Emulator['configure']>>;

export function readFired(fired: Fired): TestEventResult {
  if (fired.outcome === 'withheld') return { outcome: 'withheld', status: 0, text: fired.reason };
  const { outcome, status, body } = fired;
  return { outcome, status, text: new TextDecoder().decode(body) };
}

/** In the first space, where neither a site nor a space is named. */
export async function addWebhook(
  { webhooks }: Pick<Emulator, 'webhooks'>,
  { installationId, spaces }: Pick<Workspace, 'spaces'> & { installationId: string },
  { site, space = spaces[0]?.id ?? '', ...endpoint }: TestWebhook,
): Promise<{ secret: string }> {
  const place =
    site === undefined ? { type: 'space' as const, id: space } : { type: 'site' as const, id: site };
  const { secret } = await webhooks.add({ installationId, place, ...endpoint });
  return { secret };
}

export async function listDeliveries({ webhooks }: Pick<Emulator, 'webhooks'>): Promise<TestDelivery[]> {
  const newestFirst = await webhooks.use(({ deliveries }) => deliveries.list());
  return newestFirst
    .map(({ eventType, eventId, state, attempts }) => ({ type: eventType, eventId, state, attempts }))
    .reverse();
}
