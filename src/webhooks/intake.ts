import type { Clock } from '../base/clock.js';
import type { WebhookEvent } from '../protocol/events.js';
import { isSelectedBy } from './check-endpoint.js';
import { newEventId, type EndpointRegistry } from './endpoint-registry.js';
import type { DeliveryStore, NewDelivery } from './model/delivery-store.js';
import type { Delivery } from './model/delivery.js';
import type { Endpoint } from './model/endpoint.js';
import { WebhookError } from './model/webhook-error.js';

/** The fields that every webhook event has. */
export type EventLike = Pick<WebhookEvent, 'eventId' | 'installationId'> & { type: string };

/** Adds events to the queue. */
export function createIntake(options: {
  store: Pick<DeliveryStore, 'insert' | 'get' | 'body'>;
  clock: Clock;
  endpoints: Pick<EndpointRegistry, 'ofInstallation'> & {
    get(id: string): Pick<Endpoint, 'enabled' | 'installationId'>;
  };
  /** Fails the waiting deliveries of an endpoint that was removed. */
  discardIfRemoved(endpointId: string): Promise<void>;
  isClosed(): boolean;
  onQueued(delivery: Delivery): void;
}) {
  const { store, clock, endpoints, discardIfRemoved, isClosed, onQueued } = options;

  const insert = async (deliveries: NewDelivery[]): Promise<Delivery[]> => {
    if (isClosed()) throw new WebhookError('closed', 'The dispatcher is closed.');
    if (deliveries.length === 0) return [];
    const inserted = await store.insert(deliveries);
    for (const delivery of inserted) {
      onQueued(delivery);
      // The endpoint may have been removed while the deliveries were being written.
      await discardIfRemoved(delivery.endpointId);
    }
    return inserted;
  };

  const insertOne = async (delivery: NewDelivery): Promise<Delivery> => {
    const [inserted] = await insert([delivery]);
    return inserted as Delivery;
  };

  const requireEnabled = (id: string): Pick<Endpoint, 'installationId'> => {
    const endpoint = endpoints.get(id);
    if (endpoint.enabled) return endpoint;
    throw new WebhookError('endpoint-disabled', `The webhook endpoint ${id} is disabled.`);
  };

  const fresh = (endpointId: string, event: EventLike): NewDelivery => ({
    endpointId,
    installationId: event.installationId,
    eventId: event.eventId,
    eventType: event.type,
    body: new TextEncoder().encode(JSON.stringify(event)),
    createdAt: clock.now(),
  });

  return {
    /** Queues an event for every endpoint that is subscribed to its type. Resolves once the event is on disk. */
    enqueue: async (event: WebhookEvent) =>
      insert(
        endpoints
          .ofInstallation(event.installationId)
          .filter((endpoint) => isSelectedBy(event, endpoint))
          .map(({ id }) => fresh(id, event)),
      ),
    /** Queues any event for a single endpoint. */
    async enqueueTo(endpointId: string, event: EventLike) {
      endpoints.get(endpointId);
      return insertOne(fresh(endpointId, event));
    },
    /** Sends an event of type `ping`. */
    async ping(endpointId: string) {
      const { installationId } = requireEnabled(endpointId);
      return insertOne(fresh(endpointId, { eventId: newEventId(), type: 'ping', installationId }));
    },
    /** Sends the same event and body again, as a new delivery. */
    async resend(id: string) {
      const { endpointId, installationId, eventId, eventType, body } = await readQueued(store, id);
      requireEnabled(endpointId);
      const createdAt = clock.now();
      return insertOne({ endpointId, installationId, eventId, eventType, body, createdAt, resentFrom: id });
    },
  };
}

/** Reads a delivery and its body. Throws if the delivery does not exist. */
export async function readQueued(
  store: Pick<DeliveryStore, 'get' | 'body'>,
  id: string,
): Promise<Delivery & { body: Uint8Array }> {
  const delivery = await store.get(id);
  const body = await store.body(id);
  if (!delivery || !body) throw new WebhookError('unknown-delivery', `Unknown delivery: ${id}.`);
  return { ...delivery, body };
}
