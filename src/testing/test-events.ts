import type { Emulator, FiredEvent } from '../emulator/index.js';
import type { FetchVisitorAuthenticationEvent, PlatformEvent, WebhookEvent } from '../protocol/events.js';
import { eventTypes, sampleEvent } from '../protocol/sample-events.js';
import type { Workspace } from '../protocol/workspace.js';
import type { LocalWorld } from './local-world.js';
import type { TestProject } from './read-test-project.js';
import type { TestEvent, TestEventResult } from './test-platform.js';
import type { TestDelivery, TestTarget, TestWebhook, VisitOptions } from './outside/outside-types.js';

/** Plausible values for all fields that a test omits. */
export function fillOutEvent(
  event: TestEvent,
  installationId: string,
  { spaces, sites }: Workspace,
): PlatformEvent {
  if (!eventTypes.includes(event.type)) {
    throw new Error(`There is no event ${event.type}. The events are ${eventTypes.join(', ')}.`);
  }
  const scene = {
    installationId,
    ...(spaces[0] && { spaceId: spaces[0].id }),
    ...(sites[0] && { siteId: sites[0].id }),
  };
  return { ...sampleEvent(event.type, scene), ...event } as PlatformEvent;
}

/** The site or space that an event is about. */
export function targetOfEvent(event: PlatformEvent): TestTarget {
  if ('siteId' in event && event.siteId !== undefined) return { site: event.siteId };
  return 'spaceId' in event && event.spaceId !== undefined ? { space: event.spaceId } : {};
}

/** Events that the platform also sends to webhooks. */
export const isWebhookEvent = (event: PlatformEvent): event is WebhookEvent =>
  ['space_content_updated', 'site_view', 'page_feedback'].includes(event.type);

export function readFired(
  fired: FiredEvent,
  world: Pick<LocalWorld, 'rejections' | 'errorOf'>,
): TestEventResult {
  if (fired.outcome === 'withheld') {
    return { outcome: 'withheld', status: 0, headers: new Headers(), text: fired.reason, rejections: [] };
  }
  const { outcome, call, status, headers, body } = fired;
  const error = world.errorOf(call);
  const own = world.rejections.filter((rejection) => rejection.call === call);
  return {
    outcome,
    status,
    headers,
    text: new TextDecoder().decode(body),
    ...(error !== undefined && { error }),
    rejections: own.map(({ error }) => error),
  };
}

/** The event that asks the script where to send a visitor. */
export function visitorEvent(
  { site, space, location = '/', logout = false, searchParams = {}, cookies = {} }: VisitOptions,
  installationId: string,
  { workspace, integration }: TestProject,
): FetchVisitorAuthenticationEvent {
  const on = site ?? (space === undefined ? workspace.sites[0]?.id : undefined);
  if (on === undefined && space === undefined) throw new Error('There is no site: pass a site or a space.');
  const query = new URLSearchParams({ ...searchParams, location });
  const below = on === undefined ? `spaces/${space}` : `sites/${on}`;
  const path = `${integration.name}/installations/${installationId}/${below}/visitor-auth?${query}`;
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return {
    eventId: `evt_${crypto.randomUUID()}`,
    type: 'fetch_visitor_authentication',
    installationId,
    ...(on === undefined ? { spaceId: space ?? '' } : { siteId: on }),
    location,
    searchParams,
    cookies,
    ...(logout && { action: 'logout' }),
    request: {
      url: `http://127.0.0.1:4100/content/integrations/${path}`,
      method: 'GET',
      headers: { ...(cookie.length > 0 && { cookie: cookie.join('; ') }) },
    },
  };
}

/** Uses the first space if neither a site nor a space is given. */
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
