import type { Clock } from '../../base/clock.js';
import { redefine, type Endpoint } from '../model/endpoint.js';
import { deliveryId, deliveryOrder, matchesQuery, recovered, settled } from '../model/delivery-states.js';
import type {
  ClaimRequest,
  DeliveryRight,
  DeliveryStore,
  LocalDeliveryStore,
  NextDue,
  DeliveryFailures,
  FailureGroup,
  FailureQuery,
} from '../model/delivery-store.js';
import type { Attempt, Delivery, DeliveryState } from '../model/delivery.js';
import { createDueQueue, type DueEntry, type DueQueue } from './due-heap.js';
import { createDeliveryOwnership, type DeliveryOwnership } from './delivery-ownership.js';
import { createScheduleTime, type ScheduleTime } from './schedule-time.js';
import { failedStates, isFinal } from '../../protocol/delivery-states.js';

interface Kept {
  order: number;
  /** `dueAt` uses the schedule's time scale. */
  delivery: Delivery;
  body: Uint8Array;
  attempts: Attempt[];
  sentAt: number;
}

interface Waiting extends DueEntry {
  id: string;
}

/** The clock to use, and the number of finished deliveries to keep. */
export interface MemoryDeliveryStoreOptions {
  /** Use `systemClock`, except in tests. */
  clock: Clock;
  /** Maximum number of finished deliveries to keep, and of events to hold for disabled endpoints. Default: 10,000. */
  entries?: number;
}

/** Stores deliveries in memory until the process ends. */
export const createMemoryDeliveryStore: (options: MemoryDeliveryStoreOptions) => DeliveryStore =
  createMemoryDeliveries;

export function createMemoryDeliveries({
  clock,
  entries = 10_000,
}: MemoryDeliveryStoreOptions): LocalDeliveryStore {
  const time = createScheduleTime(clock);
  const ownership = createDeliveryOwnership();
  const { endpoints, addresses, ...registry } = createMemoryEndpoints((id) =>
    failWaiting(table, clock, (endpointId) => endpointId === id),
  );
  const paused = new Set<string>();
  const isOfDisabled = ({ phase, endpointId }: Delivery): boolean =>
    phase === 'waiting' && endpoints.get(endpointId)?.enabled === false;
  const isHeld = (delivery: Delivery): boolean =>
    isOfDisabled(delivery) || (delivery.phase === 'waiting' && paused.has(delivery.installationId));
  const table = createDeliveryTable(time, entries, isHeld);
  const right = createRight(table, { clock, time, ownership });
  /** Deliveries that were queued while their endpoint was disabled. Those of paused installations always wait. */
  const held = new Set<string>();
  let last = 0;

  const hold = (id: string): void => {
    held.add(id);
    if (held.size <= entries) return;
    for (const one of held) {
      const entry = table.kept.get(one);
      if (!entry || !isOfDisabled(entry.delivery)) held.delete(one);
    }
    for (const oldest of [...held].slice(0, -entries)) {
      held.delete(oldest);
      const entry = table.kept.get(oldest);
      if (entry) fail(table, clock, entry);
    }
  };

  return {
    ...readDeliveries(table, addresses),
    ...registry,
    endpoints: async () => [...endpoints.values()].map((endpoint) => structuredClone(endpoint)),

    pausedInstallations: async () => [...paused],
    async setPaused(installationId, isPaused) {
      if (isPaused) paused.add(installationId);
      else paused.delete(installationId);
    },

    async insert(deliveries) {
      return deliveries.map(({ body, ...fields }) => {
        const existing = table.existing(fields);
        if (existing) return table.shown(existing.delivery);
        const order = ++last;
        const entry: Kept = {
          order,
          body: body.slice(),
          attempts: [],
          sentAt: 0,
          delivery: {
            id: deliveryId(order),
            ...fields,
            state: 'pending',
            phase: 'waiting',
            attempts: 0,
            requests: 0,
            crashes: 0,
            bodyBytes: body.byteLength,
          },
        };
        const inserted = table.add(entry, time.now());
        ownership.tell(inserted.endpointId, { inMs: 0 });
        if (isOfDisabled(inserted)) hold(inserted.id);
        return inserted;
      });
    },
    async expedite(id) {
      const entry = table.kept.get(id);
      if (entry?.delivery.phase !== 'waiting') return undefined;
      const expedited = table.change(entry, { ...entry.delivery, dueAt: time.now() });
      ownership.tell(expedited.endpointId, table.nextDue(expedited.endpointId));
      return expedited;
    },

    async own(owner) {
      const own = ownership.take(owner, right);
      recover(table, { clock, time, poisonAfter: owner.poisonAfter });
      failWaiting(table, clock, (endpointId) => !endpoints.has(endpointId));
      for (const id of endpoints.keys()) ownership.tell(id, table.nextDue(id));
      return own;
    },
  };
}

function createMemoryEndpoints(onRemoved: (id: string) => void) {
  const endpoints = new Map<string, Endpoint>();
  /** The URLs of all endpoints, including removed ones. */
  const addresses = new Map<string, string>();
  const put = (endpoint: Endpoint): void => {
    endpoints.set(endpoint.id, structuredClone(endpoint));
    addresses.set(endpoint.id, endpoint.url);
  };
  const registry: Pick<DeliveryStore, 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint'> = {
    async putEndpoint(endpoint) {
      const current = endpoints.get(endpoint.id);
      put(current ? redefine(current, endpoint) : endpoint);
    },
    async changeEndpoint(id, change) {
      const current = endpoints.get(id);
      if (!current) return undefined;
      const changed = change(structuredClone(current));
      put(changed);
      return changed;
    },
    async removeEndpoint(id) {
      endpoints.delete(id);
      onRemoved(id);
    },
  };
  return { endpoints, addresses, ...registry };
}

type DeliveryTable = ReturnType<typeof createDeliveryTable>;

type EventOfEndpoint = Pick<Delivery, 'endpointId' | 'eventId' | 'resentFrom'>;

const eventKey = ({ endpointId, eventId }: EventOfEndpoint): string => JSON.stringify([endpointId, eventId]);

function createDeliveryTable(time: ScheduleTime, entries: number, isHeld: (delivery: Delivery) => boolean) {
  const kept = new Map<string, Kept>();
  /** Deliveries, keyed by event and endpoint. Resends are not included. */
  const byEvent = new Map<string, Kept>();
  const finished = new Set<string>();
  const queues = new Map<string, DueQueue<Waiting>>();

  const queueOf = (endpointId: string, suspects: boolean): DueQueue<Waiting> => {
    const key = `${suspects ? 's' : 'n'} ${endpointId}`;
    let queue = queues.get(key);
    if (!queue) {
      queue = createDueQueue(({ id, due }) => {
        const delivery = kept.get(id)?.delivery;
        return delivery?.dueAt === due && delivery.crashes > 0 === suspects;
      });
      queues.set(key, queue);
    }
    return queue;
  };

  const change = (entry: Kept, next: Delivery): Delivery => {
    const { delivery } = entry;
    entry.delivery = next;
    if (next.dueAt !== undefined && next.dueAt !== delivery.dueAt) {
      queueOf(next.endpointId, next.crashes > 0).push({ due: next.dueAt, order: entry.order, id: next.id });
    }
    if (isFinal(next.state)) {
      finished.add(next.id);
      for (const id of finished) {
        if (finished.size <= entries) break;
        finished.delete(id);
        drop(id);
      }
    }
    return shown(next);
  };

  const add = (entry: Kept, dueAt: number): Delivery => {
    const { delivery } = entry;
    kept.set(delivery.id, entry);
    if (delivery.resentFrom === undefined) byEvent.set(eventKey(delivery), entry);
    return change(entry, { ...delivery, dueAt });
  };

  const drop = (id: string): void => {
    const entry = kept.get(id);
    kept.delete(id);
    if (entry && entry.delivery.resentFrom === undefined) byEvent.delete(eventKey(entry.delivery));
  };

  const existing = (delivery: EventOfEndpoint): Kept | undefined =>
    delivery.resentFrom === undefined ? byEvent.get(eventKey(delivery)) : undefined;

  const shown = (delivery: Delivery): Delivery => ({
    ...delivery,
    ...(isHeld(delivery) && { state: 'held' }),
    ...(delivery.dueAt !== undefined && { dueAt: time.shown(delivery.dueAt) }),
  });

  const nextDue = (endpointId: string): NextDue => {
    const due = queueOf(endpointId, false).peek()?.due;
    const suspect = queueOf(endpointId, true).peek()?.due;
    return {
      ...(due !== undefined && { inMs: time.until(due) }),
      ...(suspect !== undefined && { suspectInMs: time.until(suspect) }),
    };
  };

  const take = ({ endpointId, limit, suspects }: ClaimRequest): Delivery[] => {
    const queue = queueOf(endpointId, suspects);
    const taken: Delivery[] = [];
    for (
      let next = queue.peek();
      next && next.due <= time.dueBy() && taken.length < limit;
      next = queue.peek()
    ) {
      queue.pop();
      const entry = kept.get(next.id);
      if (!entry) continue;
      const { dueAt: _, ...delivery } = entry.delivery;
      taken.push(change(entry, { ...delivery, phase: 'preparing' }));
    }
    return taken;
  };

  return { kept, add, existing, change, shown, nextDue, take };
}

function createRight(
  table: DeliveryTable,
  { clock, time, ownership }: { clock: Clock; time: ScheduleTime; ownership: DeliveryOwnership },
): Omit<DeliveryRight, 'lost' | 'release'> {
  const held = (id: string, ...phases: Delivery['phase'][]): Kept => {
    const entry = table.kept.get(id);
    if (!entry || !phases.includes(entry.delivery.phase))
      throw new Error(`The delivery ${id} is not in a state that allows this.`);
    return entry;
  };

  return {
    claim: async (requests) =>
      requests.map((request) => ({
        endpointId: request.endpointId,
        deliveries: table.take(request),
        next: table.nextDue(request.endpointId),
      })),
    async markSent(id) {
      const entry = held(id, 'preparing');
      entry.sentAt = clock.now();
      table.change(entry, { ...entry.delivery, phase: 'sending', requests: entry.delivery.requests + 1 });
    },
    async recordOutcome(outcome) {
      const entry = held(outcome.id, 'preparing', 'sending');
      entry.attempts.push(outcome.attempt);
      const delivery = table.change(entry, settled(entry.delivery, outcome, clock.now(), time.now()));
      const { endpointId } = delivery;
      if (outcome.retryInMs !== undefined) ownership.tell(endpointId, table.nextDue(endpointId));
      return delivery;
    },
  };
}

/** Recovers the deliveries that the previous owner was processing. */
function recover(
  table: DeliveryTable,
  { clock, time, poisonAfter }: { clock: Clock; time: ScheduleTime; poisonAfter: number },
): void {
  for (const entry of table.kept.values()) {
    const { phase, requests: number } = entry.delivery;
    if (phase === 'sending') {
      const result = { kind: 'interrupted' } as const;
      entry.attempts.push({ number, startedAt: entry.sentAt, durationMs: 0, result });
    }
    if (phase === 'sending' || phase === 'preparing')
      table.change(entry, recovered(entry.delivery, time.now(), clock.now(), poisonAfter));
  }
}

function failWaiting(table: DeliveryTable, clock: Clock, isGone: (endpointId: string) => boolean): void {
  const waiting = [...table.kept.values()].filter(
    ({ delivery }) => delivery.dueAt !== undefined && isGone(delivery.endpointId),
  );
  for (const entry of waiting) fail(table, clock, entry);
}

function fail(table: DeliveryTable, clock: Clock, entry: Kept): void {
  const { dueAt: _, ...delivery } = entry.delivery;
  table.change(entry, { ...delivery, state: 'failed', phase: 'done', finishedAt: clock.now() });
}

const readDeliveries = (table: DeliveryTable, addresses: ReadonlyMap<string, string>) =>
  ({
    get: async (id) => {
      const entry = table.kept.get(id);
      return entry && shownWithUrl(table, entry, addresses);
    },
    body: async (id) => table.kept.get(id)?.body,
    attempts: async (id) => [...(table.kept.get(id)?.attempts ?? [])],
    async attemptsOf(ids) {
      const found = ids.map((id): [string, Attempt[]] => [id, [...(table.kept.get(id)?.attempts ?? [])]]);
      return new Map(found.filter(([, attempts]) => attempts.length > 0));
    },
    failures: async (query) =>
      groupFailures(table.kept.values(), query, (entry) => shownWithUrl(table, entry, addresses)),
    async list(query = {}) {
      const before = query.before === undefined ? Infinity : deliveryOrder(query.before);
      return [...table.kept.values()]
        .filter((entry) => entry.order < before && matchesQuery(table.shown(entry.delivery), query))
        .reverse()
        .slice(0, query.limit ?? 100)
        .map((entry) => shownWithUrl(table, entry, addresses));
    },
    async backlog(endpointId) {
      const open = [...table.kept.values()]
        .map(({ delivery }) => table.shown(delivery))
        .filter((d) => !isFinal(d.state) && (endpointId === undefined || d.endpointId === endpointId));
      const count = (state: DeliveryState): number => open.filter((d) => d.state === state).length;
      const oldest = open.find((d) => d.state !== 'held');
      return {
        pending: count('pending'),
        retrying: count('retrying'),
        held: count('held'),
        inFlight: open.filter((d) => d.phase !== 'waiting').length,
        ...(oldest && { oldestAt: oldest.createdAt }),
      };
    },
  }) satisfies Partial<LocalDeliveryStore>;

function shownWithUrl(
  table: DeliveryTable,
  { delivery }: Kept,
  addresses: ReadonlyMap<string, string>,
): Delivery {
  const url = delivery.url ?? addresses.get(delivery.endpointId);
  return { ...table.shown(delivery), ...(url !== undefined && { url }) };
}

interface Attempted {
  delivery: Delivery;
  attempts: readonly Attempt[];
}

/** Groups failed deliveries in the same way as the SQLite store. Pass the deliveries in order from oldest to newest. */
function groupFailures<Kept extends Attempted>(
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
