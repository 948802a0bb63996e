import type { Clock } from '../base/clock.js';
import { createTurns } from '../base/turns.js';
import { checkChange, checkEndpoint } from './check-endpoint.js';
import type { DeliveryStore } from './model/delivery-store.js';
import type { Endpoint } from './model/endpoint.js';
import { WebhookError } from './model/webhook-error.js';

/** An endpoint that has not been added yet. */
export interface NewEndpoint extends Pick<Endpoint, 'installationId' | 'target' | 'url' | 'events'> {
  /** A newly created secret by default. */
  secret?: string;
}

/** The fields of an endpoint that can be changed. */
export type EndpointChanges = Partial<Pick<Endpoint, 'url' | 'events' | 'enabled'>>;

/** Adds, changes and removes endpoints. */
export interface EndpointRegistry {
  list(): Endpoint[];
  ofInstallation(installationId: string): Endpoint[];
  /** Throws if the endpoint does not exist. */
  get(id: string): Endpoint;
  add(endpoint: NewEndpoint): Promise<Endpoint>;
  update(id: string, changes: EndpointChanges): Promise<Endpoint>;
  remove(id: string): Promise<void>;
  /** Creates a new secret. The old secret remains valid for `overlapMs` (default: 24 hours). */
  rotateSecret(id: string, options?: { overlapMs?: number }): Promise<Endpoint>;
}

/** The registry, and functions that apply changes already stored. */
export interface SyncedRegistry extends EndpointRegistry {
  note(endpoint: Endpoint): void;
  forget(id: string): Endpoint | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const newEventId = (): string => `evt_${randomHex(12)}`;
export const newSecret = (): string => `whsec_${randomHex(32)}`;

export const unknownEndpoint = (id: string): WebhookError =>
  new WebhookError('unknown-endpoint', `Unknown webhook endpoint: ${id}.`);

/** Keeps the store's endpoints in memory. */
export function createEndpointRegistry(
  store: Pick<DeliveryStore, 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint'>,
  clock: Clock,
  known: readonly Endpoint[],
): SyncedRegistry {
  const endpoints = new Map<string, Endpoint>();
  const byInstallation = new Map<string, Map<string, Endpoint>>();

  const forget = (id: string): Endpoint | undefined => {
    const endpoint = endpoints.get(id);
    if (!endpoint) return undefined;
    endpoints.delete(id);
    const siblings = byInstallation.get(endpoint.installationId);
    siblings?.delete(id);
    if (siblings?.size === 0) byInstallation.delete(endpoint.installationId);
    return endpoint;
  };

  const note = (endpoint: Endpoint): void => {
    const { id, installationId } = endpoint;
    const before = endpoints.get(id);
    if (before && before.installationId !== installationId) forget(id);
    endpoints.set(id, endpoint);
    const siblings = byInstallation.get(installationId);
    if (siblings) siblings.set(id, endpoint);
    else byInstallation.set(installationId, new Map([[id, endpoint]]));
  };
  known.forEach(note);

  const get = (id: string): Endpoint => {
    const endpoint = endpoints.get(id);
    if (!endpoint) throw unknownEndpoint(id);
    return endpoint;
  };

  const put = async (endpoint: Endpoint): Promise<Endpoint> => {
    checkEndpoint(endpoint);
    await store.putEndpoint(endpoint);
    note(endpoint);
    return endpoint;
  };

  const change = async (id: string, changed: (endpoint: Endpoint) => Endpoint): Promise<Endpoint> => {
    get(id);
    const endpoint = await store.changeEndpoint(id, (current) => {
      const next = changed(current);
      checkChange(current, next);
      return next;
    });
    if (!endpoint) throw unknownEndpoint(id);
    note(endpoint);
    return endpoint;
  };

  // Applies changes one after another, in the order of the calls.
  const inTurn = createTurns();

  return {
    list: () => [...endpoints.values()],
    ofInstallation: (installationId) => [...(byInstallation.get(installationId)?.values() ?? [])],
    get,
    add: ({ installationId, target, url, events, secret = newSecret() }) =>
      put({
        id: `whe_${randomHex(6)}`,
        installationId,
        target,
        url,
        events: [...new Set(events)],
        enabled: true,
        secret,
        createdAt: clock.now(),
      }),
    note,
    forget,
    update: (id, changes) => inTurn(() => change(id, (endpoint) => ({ ...endpoint, ...changes }))),
    remove: (id) =>
      inTurn(async () => {
        const endpoint = get(id);
        forget(id);
        try {
          await store.removeEndpoint(id);
        } catch (error) {
          note(endpoint);
          throw error;
        }
      }),
    rotateSecret: (id, { overlapMs = dayMs } = {}) =>
      inTurn(() =>
        change(id, (endpoint) => {
          const previousSecret = { secret: endpoint.secret, until: clock.now() + overlapMs };
          return { ...endpoint, secret: newSecret(), previousSecret };
        }),
      ),
  };
}
