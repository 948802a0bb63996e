import { describeResult } from '../../base/text/delivery-reason.js';
import { failedStates, type DeliveryState } from '../../protocol/delivery-states.js';
import { newSecret } from '../../webhooks/endpoint-registry.js';
import type { KeptDeliveryChange } from '../../webhooks/keep-delivering.js';
import type { DeliveryStore } from '../../webhooks/model/delivery-store.js';

/** What the operator of a worker should know. It is printed, and can be sent as a webhook. */
export type OperatorEvent = { eventId: string; installationId: string; endpoint: string } & (
  | { type: 'delivery-failed'; delivery: string; state: DeliveryState; reason: string }
  | { type: 'endpoint-disabled'; url: string; failingSince: string }
);

/** Returns a function that derives events from changes. An endpoint's failures are one event, until it works again. */
export function createOperatorEvents(): (change: KeptDeliveryChange) => OperatorEvent | undefined {
  const failing = new Set<string>();
  return (change) => {
    if (change.type === 'endpoint-disabled') {
      const { id: endpoint, installationId, url } = change.endpoint;
      const failingSince = new Date(change.failingSince).toISOString();
      const eventId = `evt_${endpoint}_disabled_${failingSince}`;
      return { type: 'endpoint-disabled', eventId, installationId, endpoint, url, failingSince };
    }
    if (change.type !== 'attempt') return undefined;
    const { id: delivery, installationId, endpointId: endpoint, state } = change.delivery;
    if (state === 'delivered') failing.delete(endpoint);
    if (!failedStates.includes(state) || failing.has(endpoint)) return undefined;
    failing.add(endpoint);
    const reason = describeResult(change.attempt.result);
    const eventId = `evt_${delivery}_failed`;
    return { type: 'delivery-failed', eventId, installationId, endpoint, delivery, state, reason };
  };
}

/** The id of the operator's endpoint. */
export const operatorEndpoint = 'whe_operator';

/** Adds an endpoint for the operator, which no other event selects. Returns a function that queues an event for it. */
export async function openOperatorEndpoint(
  store: Pick<DeliveryStore, 'putEndpoint' | 'insert'>,
  url: string,
  now: () => number,
): Promise<(event: OperatorEvent) => Promise<unknown>> {
  await store.putEndpoint({
    id: operatorEndpoint,
    installationId: 'operator',
    target: { type: 'site', id: 'operator' },
    url,
    events: ['site_view'],
    enabled: true,
    secret: newSecret(),
    createdAt: now(),
  });
  return async (event) => {
    // If its own deliveries fail, that is only printed.
    if (event.endpoint === operatorEndpoint) return;
    const { eventId, installationId, type: eventType } = event;
    const body = new TextEncoder().encode(JSON.stringify(event));
    await store.insert([
      { endpointId: operatorEndpoint, installationId, eventId, eventType, body, createdAt: now() },
    ]);
  };
}
