import type { PlatformBase } from '../state/platform-base.js';
import { errorMessage } from '../../base/text/error-message.js';
import type { WebhookEvent } from '../../protocol/events.js';
import type { LocalDeliveryStore } from '../../webhooks/model/delivery-store.js';
import {
  createWebhookDispatcher,
  type DeliveryChange,
  type WebhookDispatcher,
} from '../../webhooks/dispatcher.js';
import type { NewEndpoint } from '../../webhooks/endpoint-registry.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { WebhookFetch } from '../../webhooks/send/send-request.js';
import { webhookPayload } from '../../webhooks/send/webhook-payload.js';
import { isWebhookError, type WebhookError } from '../../webhooks/model/webhook-error.js';
import type { EventFeed } from '../live/event-feed.js';
import { HttpError } from '../http/http-error.js';
import { requireInstalled } from '../state/require-installation.js';

/** Manages the webhook endpoints of spaces and sites, and their deliveries. */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** How long the platform waits for an unresponsive receiver when it stops. */
const patienceMs = 1000;

export function createWebhooks(
  deps: Pick<PlatformBase, 'clock' | 'timers' | 'registry' | 'feed' | 'secrets' | 'background'> & {
    store: LocalDeliveryStore;
    ahead: () => number;
    random: () => number;
    fetch: WebhookFetch;
    version: string;
  },
) {
  const { store, clock, timers, ahead, random, fetch, version, registry, feed, secrets, background } = deps;

  const start = async (): Promise<WebhookDispatcher> => {
    const dispatcher = await createWebhookDispatcher({ store, clock, timers, ahead, random, fetch, version });
    for (const { secret } of dispatcher.endpoints.list()) secrets.add(secret);
    dispatcher.subscribe((change) => report(feed, change));
    await followRegistry(dispatcher, deps);
    return dispatcher;
  };
  const starting = start();
  starting.catch((error: unknown) => feed.emit(failureEvent(error)));

  /**
   * Runs `work` once the dispatcher has resumed the pending deliveries. Converts the dispatcher's errors to platform errors.
   */
  const use = async <T>(work: (dispatcher: WebhookDispatcher) => T | Promise<T>): Promise<T> => {
    try {
      return await work(await starting);
    } catch (error) {
      throw isWebhookError(error) ? toHttpError(error) : error;
    }
  };

  // Runs the updates one after another, because each update depends on the result of the previous one.
  let following = Promise.resolve();
  feed.subscribe((event) => {
    const moved =
      event.type === 'installation' && ['paused', 'resumed', 'uninstalled'].includes(event.change);
    if (!moved && event.type !== 'state-loaded') return;
    following = following.catch(() => {}).then(() => use((dispatcher) => followRegistry(dispatcher, deps)));
    background.run(following);
  });

  const changed = (endpoint: Endpoint, change: 'added' | 'changed'): Endpoint => {
    secrets.add(endpoint.secret);
    feed.emit({ type: 'endpoint', endpoint: endpoint.id, change });
    return endpoint;
  };

  return {
    use,
    /** Returns the attempts of several deliveries, keyed by delivery id. */
    attemptsOf: (deliveries: readonly { id: string }[]) => store.attemptsOf(deliveries.map(({ id }) => id)),
    failures: (window: Parameters<typeof store.failures>[0]) => store.failures(window),
    add(endpoint: NewEndpoint) {
      const { installationId, target } = endpoint;
      requireInstalled(registry, { installation: installationId, [target.type]: target.id });
      return use(async ({ endpoints }) => changed(await endpoints.add(endpoint), 'added'));
    },
    rotate: (id: string) =>
      use(async ({ endpoints }) => changed(await endpoints.rotateSecret(id), 'changed')),
    update: (id: string, changes: { url?: string; events?: string[]; enabled?: boolean }) =>
      use(async ({ endpoints }) => changed(await endpoints.update(id, changes), 'changed')),
    remove: (id: string) =>
      use(async ({ endpoints }) => {
        await endpoints.remove(id);
        feed.emit({ type: 'endpoint', endpoint: id, change: 'removed' });
      }),
    /** Sends an event to all subscribed endpoints. Resolves to the ids of the deliveries. */
    forward: (event: WebhookEvent): Promise<string[]> =>
      use(async ({ enqueue }) => (await enqueue(webhookPayload(event))).map(({ id }) => id)),
    async close() {
      const dispatcher = await starting.catch(() => undefined);
      await dispatcher?.close({ patienceMs });
    },
  };
}

interface FollowDeps extends Pick<PlatformBase, 'registry' | 'feed'> {
  store: LocalDeliveryStore;
}

/**
 * Pauses and resumes deliveries to match the registry, and removes endpoints of targets where the integration is no longer
 * installed.
 */
async function followRegistry(
  dispatcher: WebhookDispatcher,
  { store, registry, feed }: FollowDeps,
): Promise<void> {
  const known = await store.pausedInstallations();
  for (const { id, paused } of registry.installations.all()) {
    if (paused && !known.includes(id)) await dispatcher.pause(id);
    if (!paused && known.includes(id)) await dispatcher.resume(id);
  }
  for (const { id, installationId, target } of dispatcher.endpoints.list()) {
    if (registry.placement(installationId, target.type, target.id)) continue;
    await dispatcher.endpoints.remove(id);
    feed.emit({ type: 'endpoint', endpoint: id, change: 'removed' });
  }
}

function report(feed: EventFeed, change: DeliveryChange): void {
  if (change.type === 'trouble' || change.type === 'lost') feed.emit(failureEvent(change.error));
  else if (change.type !== 'endpoint-disabled') feed.emit({ ...change, type: 'delivery' });
}

const failureEvent = (error: unknown) =>
  ({ type: 'warning', code: 'webhooks', message: errorMessage(error) }) as const;

const statuses = {
  'invalid-endpoint': 400,
  'unknown-endpoint': 404,
  'unknown-delivery': 404,
  'endpoint-disabled': 409,
  closed: 503,
  'in-use': 503,
  'right-lost': 503,
} as const;

const toHttpError = ({ code, message }: WebhookError): HttpError =>
  new HttpError(statuses[code], code, message);
