import type { Clock } from '../base/clock.js';
import { checkEndpoint } from './check-endpoint.js';
import type { DeliveryStore } from './queue/delivery-store.js';
import type { Endpoint } from './endpoint.js';
import { WebhookError } from './webhook-error.js';

export interface NewEndpoint extends Pick<Endpoint, 'installationId' | 'place' | 'url' | 'events'> {
  /** One is made where none is given. */
  secret?: string;
}

export type EndpointChanges = Partial<Pick<Endpoint, 'url' | 'events' | 'enabled'>>;

export interface EndpointRegistry {
  list(): Endpoint[];
  /** Throws where there is none. */
  get(id: string): Endpoint;
  add(endpoint: NewEndpoint): Promise<Endpoint>;
  update(id: string, changes: EndpointChanges): Promise<Endpoint>;
  remove(id: string): Promise<void>;
  /** A new secret; the old one signs as well for `overlapMs`, 24 hours unless told. */
  rotateSecret(id: string, options?: { overlapMs?: number }): Promise<Endpoint>;
}

const dayMs = 24 * 60 * 60 * 1000;

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const newEventId = (): string => `evt_${randomHex(12)}`;
const newSecret = (): string => `whsec_${randomHex(32)}`;

/** The endpoints, in memory as they are in the store. */
export function createEndpointRegistry(
  store: Pick<DeliveryStore, 'putEndpoint' | 'removeEndpoint'>,
  clock: Clock,
  known: readonly Endpoint[],
): EndpointRegistry {
  const endpoints = new Map(known.map((endpoint) => [endpoint.id, endpoint]));

  const get = (id: string): Endpoint => {
    const endpoint = endpoints.get(id);
    if (!endpoint) throw new WebhookError('unknown-endpoint', `There is no webhook endpoint ${id}.`);
    return endpoint;
  };

  const put = async (endpoint: Endpoint): Promise<Endpoint> => {
    checkEndpoint(endpoint);
    await store.putEndpoint(endpoint);
    endpoints.set(endpoint.id, endpoint);
    return endpoint;
  };

  // Each change begins with what the one before it has left.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    list: () => [...endpoints.values()],
    get,
    add: ({ installationId, place, url, events, secret = newSecret() }) =>
      put({
        id: `whe_${randomHex(6)}`,
        installationId,
        place,
        url,
        events: [...new Set(events)],
        enabled: true,
        secret,
        createdAt: clock.now(),
      }),
    update: (id, changes) => inTurn(async () => put({ ...get(id), ...changes })),
    remove: (id) =>
      inTurn(async () => {
        const endpoint = get(id);
        endpoints.delete(id);
        try {
          await store.removeEndpoint(id);
        } catch (error) {
          endpoints.set(id, endpoint);
          throw error;
        }
      }),
    rotateSecret: (id, { overlapMs = dayMs } = {}) =>
      inTurn(async () => {
        const endpoint = get(id);
        const previousSecret = { secret: endpoint.secret, until: clock.now() + overlapMs };
        return put({ ...endpoint, secret: newSecret(), previousSecret });
      }),
  };
}
