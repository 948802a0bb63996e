import { isHttpError, type HttpError, type Emulator, type FiredEvent } from '../emulator/index.js';
import type { FetchVisitorAuthenticationEvent } from '../protocol/events.js';
import type { Workspace } from '../protocol/workspace.js';
import type { LocalWorld } from './local-world.js';
import type { TestProject } from './read-test-project.js';
import type { TestEvent, TestEventResult } from './test-platform.js';
import type { TestDelivery, TestTarget, TestWebhook, VisitOptions } from './outside/outside-types.js';

/** Sends an event as `platform dev` would. */
export async function triggerEvent(
  { trigger }: Pick<Emulator, 'trigger'>,
  { type, ...event }: TestEvent,
  target: { installation: string; site?: string; space?: string },
): Promise<FiredEvent> {
  try {
    return (await trigger({ type, event, ...target })).fired;
  } catch (error) {
    throw isHttpError(error) ? withKnownNames(error) : error;
  }
}

/** Adds the known names to the message, because tests show no hint below it. */
function withKnownNames({ message, details: { known } }: HttpError): Error {
  return new Error(
    Array.isArray(known) && known.length > 0 ? `${message} Known: ${known.join(', ')}.` : message,
  );
}

/** Returns the site or space that an event is about. */
export function targetOfEvent(event: object): TestTarget {
  const { siteId, spaceId } = event as { siteId?: string; spaceId?: string };
  if (siteId !== undefined) return { site: siteId };
  return spaceId === undefined ? {} : { space: spaceId };
}

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

/** The event that asks the script where to redirect a visitor. */
export function visitorEvent(
  { site, space, location = '/', logout = false, searchParams = {}, cookies = {} }: VisitOptions,
  installationId: string,
  { workspace, integration }: TestProject,
  origin: string,
): FetchVisitorAuthenticationEvent {
  const on = site ?? (space === undefined ? workspace.sites[0]?.id : undefined);
  if (on === undefined && space === undefined)
    throw new Error('The workspace has no site. Pass a site or a space.');
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
      url: `${origin}/content/integrations/${path}`,
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
  const target =
    site === undefined ? { type: 'space' as const, id: space } : { type: 'site' as const, id: site };
  const { secret } = await webhooks.add({ installationId, target, ...endpoint });
  return { secret };
}

export async function listDeliveries({ webhooks }: Pick<Emulator, 'webhooks'>): Promise<TestDelivery[]> {
  const newestFirst = await webhooks.use(({ deliveries }) => deliveries.list());
  return newestFirst
    .map(({ eventType, eventId, state, attempts }) => ({ type: eventType, eventId, state, attempts }))
    .reverse();
}
