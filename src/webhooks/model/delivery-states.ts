import { failedStates } from '../../protocol/delivery-states.js';
import type { AttemptResult, Delivery, NetworkErrorKind } from './delivery.js';
import type { DeliveryOutcome, DeliveryQuery } from './delivery-store.js';

/** Ids are sequential, so that they sort by age and are easy to type. */
export const deliveryId = (order: number): string => `dlv_${order}`;

/** Returns the number in an id, or 0 if the id is invalid. No delivery has the number 0. */
export const deliveryOrder = (id: string): number => Number(/^dlv_([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);

export const matchesQuery = (
  delivery: Delivery,
  { endpointId, installationId, state, failed }: DeliveryQuery,
): boolean =>
  (endpointId === undefined || delivery.endpointId === endpointId) &&
  (installationId === undefined || delivery.installationId === installationId) &&
  (state === undefined || delivery.state === state) &&
  (failed === undefined || failedStates.includes(delivery.state) === failed);

/** Returns the next state of a delivery whose sender died while `preparing` or `sending` it. */
export function recovered(delivery: Delivery, dueAt: number, now: number, poisonAfter: number): Delivery {
  if (delivery.phase === 'sending') return { ...delivery, phase: 'waiting', dueAt };
  const crashes = delivery.crashes + 1;
  if (crashes < poisonAfter) return { ...delivery, crashes, phase: 'waiting', dueAt };
  return { ...delivery, crashes, state: 'poisoned', phase: 'done', finishedAt: now };
}

/** Returns the delivery after an outcome. `scheduled` is the current time on the scale of due times. */
export function settled(
  delivery: Delivery,
  { attempt, state, retryInMs }: DeliveryOutcome,
  now: number,
  scheduled = now,
): Delivery {
  const url = attempt.request?.url ?? delivery.url;
  const attempts = delivery.attempts + 1;
  const next = { ...delivery, ...(url !== undefined && { url }), state, attempts, requests: attempt.number };
  return retryInMs === undefined
    ? { ...next, phase: 'done', finishedAt: now }
    : { ...next, phase: 'waiting', dueAt: scheduled + retryInMs };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const textOf = (cell: unknown): string => (cell instanceof Uint8Array ? decoder.decode(cell) : String(cell));

/** Converts a stored delivery. All databases select its columns in this order. `shown` converts the due time. */
export function deliveryOf(row: readonly unknown[], shown = (dueAt: number): number => dueAt): Delivery {
  const [id, endpoint, installation, eventId, eventType, state, phase, created, due, finished, ...rest] = row;
  const [attempts, requests, crashes, bodyBytes, resentFrom, url = null] = rest;
  return {
    id: deliveryId(Number(id)),
    endpointId: String(endpoint),
    ...(url !== null && { url: textOf(url) }),
    installationId: textOf(installation),
    eventId: textOf(eventId),
    eventType: textOf(eventType),
    state: state as Delivery['state'],
    phase: phase as Delivery['phase'],
    createdAt: Number(created),
    ...(due !== null && { dueAt: shown(Number(due)) }),
    ...(finished !== null && { finishedAt: Number(finished) }),
    attempts: Number(attempts),
    requests: Number(requests),
    crashes: Number(crashes),
    bodyBytes: Number(bodyBytes),
    ...(resentFrom !== null && { resentFrom: deliveryId(Number(resentFrom)) }),
  };
}

/** Converts a stored result, which has a status, an error or neither. */
export function resultOf({
  status,
  error,
  message,
  body,
}: {
  status?: unknown;
  error?: unknown;
  message?: string | undefined;
  body: Uint8Array;
}): AttemptResult {
  if (typeof status === 'number') return { kind: 'answer', status, body };
  if (typeof error !== 'string' || error === 'interrupted') return { kind: 'interrupted' };
  return { kind: 'error', error: error as NetworkErrorKind, message: message ?? '' };
}
