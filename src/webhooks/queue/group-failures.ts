import { failedStates } from '../../protocol/delivery-states.js';
import type { DeliveryFailures, FailureGroup, FailureQuery } from '../model/delivery-store.js';
import type { Attempt, Delivery } from '../model/delivery.js';

interface Attempted {
  delivery: Delivery;
  attempts: readonly Attempt[];
}

/** Groups failed deliveries in the same way as the SQLite store. Pass the deliveries in order from oldest to newest. */
export function groupFailures<Kept extends Attempted>(
  deliveries: Iterable<Kept>,
  { since, limit }: FailureQuery,
  read: (kept: Kept) => Delivery,
): DeliveryFailures {
  const groups = new Map<string, Omit<FailureGroup, 'newest'> & { newest: Kept }>();
  let failed = 0;
  for (const kept of deliveries) {
    const { endpointId, eventType, state, createdAt } = kept.delivery;
    if (!failedStates.includes(state) || createdAt < since) continue;
    failed += 1;
    const key = JSON.stringify([endpointId, eventType, state, resultKey(kept.attempts.at(-1))]);
    const { first = createdAt, last = createdAt, deliveries: known = 0 } = groups.get(key) ?? {};
    // Deleting the key first moves the group to the end.
    groups.delete(key);
    groups.set(key, {
      newest: kept,
      deliveries: known + 1,
      first: Math.min(first, createdAt),
      last: Math.max(last, createdAt),
    });
  }
  const newestFirst = [...groups.values()].reverse().slice(0, limit);
  return { failed, groups: newestFirst.map((group) => ({ ...group, newest: read(group.newest) })) };
}

/** The fields that must match for two results to be equal. The bodies of responses may differ. */
function resultKey(attempt: Attempt | undefined): unknown {
  if (attempt?.result.kind !== 'answer') return attempt?.result;
  return attempt.result.status;
}
