import type { Attempt, Delivery } from './delivery.js';
import { deliveryId, deliveryOrder, isFinal, matchesQuery, recovered, settled } from './delivery-rules.js';
import type { ClaimRequest, DeliveryStore, NextDue } from './delivery-store.js';
import { createDueQueue, type DueEntry, type DueQueue } from './due-queue.js';
import type { Endpoint } from '../endpoint.js';

interface Kept {
  order: number;
  delivery: Delivery;
  body: Uint8Array;
  attempts: Attempt[];
  sentAt: number;
}

interface Waiting extends DueEntry {
  id: string;
}

export interface DeliveryLimits {
  /** Finished deliveries that are kept. */
  entries: number;
}

/** Deliveries for as long as the process lives. */
export function createMemoryDeliveryStore(limits: DeliveryLimits = { entries: 10_000 }): DeliveryStore {
  const endpoints = new Map<string, Endpoint>();
  const paused = new Set<string>();
  const kept = new Map<string, Kept>();
  const finished = new Set<string>();
  const queues = new Map<string, DueQueue<Waiting>>();
  let last = 0;

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
        if (finished.size <= limits.entries) break;
        finished.delete(id);
        kept.delete(id);
      }
    }
    return { ...next };
  };

  const nextDue = (endpointId: string): NextDue => {
    const due = queueOf(endpointId, false).peek()?.due;
    const suspect = queueOf(endpointId, true).peek()?.due;
    return {
      ...(due !== undefined && { dueAt: due }),
      ...(suspect !== undefined && { suspectDueAt: suspect }),
    };
  };

  const take = ({ endpointId, limit, suspects }: ClaimRequest, now: number): Delivery[] => {
    const queue = queueOf(endpointId, suspects);
    const taken: Delivery[] = [];
    for (let next = queue.peek(); next && next.due <= now && taken.length < limit; next = queue.peek()) {
      queue.pop();
      const entry = kept.get(next.id);
      if (!entry) continue;
      const { dueAt: _, ...delivery } = entry.delivery;
      taken.push(change(entry, { ...delivery, phase: 'preparing' }));
    }
    return taken;
  };

  const held = (id: string, phase: Delivery['phase']): Kept => {
    const entry = kept.get(id);
    if (entry?.delivery.phase !== phase) throw new Error(`The delivery ${id} is not in the state for this.`);
    return entry;
  };

  return {
    endpoints: async () => [...endpoints.values()].map((endpoint) => structuredClone(endpoint)),
    async putEndpoint(endpoint) {
      endpoints.set(endpoint.id, structuredClone(endpoint));
    },
    async removeEndpoint(id, at) {
      endpoints.delete(id);
      const waiting = [...kept.values()].filter(
        (e) => e.delivery.endpointId === id && e.delivery.dueAt !== undefined,
      );
      for (const entry of waiting) {
        const { dueAt: _, ...delivery } = entry.delivery;
        change(entry, { ...delivery, state: 'failed', phase: 'done', finishedAt: at });
      }
      return waiting.length;
    },

    pausedInstallations: async () => [...paused],
    async setPaused(installationId, isPaused) {
      if (isPaused) paused.add(installationId);
      else paused.delete(installationId);
    },

    insert: async (deliveries) =>
      deliveries.map(({ body, ...fields }) => {
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
        kept.set(entry.delivery.id, entry);
        return change(entry, { ...entry.delivery, dueAt: fields.createdAt });
      }),
    nextDue: async (endpointId) => nextDue(endpointId),
    claim: async (requests, now) =>
      requests.map((request) => ({
        endpointId: request.endpointId,
        deliveries: take(request, now),
        next: nextDue(request.endpointId),
      })),
    body: async (id) => kept.get(id)?.body,
    async markSent(id, at) {
      const entry = held(id, 'preparing');
      entry.sentAt = at;
      change(entry, { ...entry.delivery, phase: 'sending', requests: entry.delivery.requests + 1 });
    },
    async recordOutcome(outcome) {
      const entry = held(outcome.id, 'sending');
      entry.attempts.push(outcome.attempt);
      change(entry, settled(entry.delivery, outcome));
    },
    async expedite(id, now) {
      const entry = kept.get(id);
      return entry?.delivery.phase === 'waiting'
        ? change(entry, { ...entry.delivery, dueAt: now })
        : undefined;
    },
    recover: async (now, poisonAfter) =>
      [...kept.values()].flatMap((entry) => {
        const { phase, requests } = entry.delivery;
        if (phase !== 'preparing' && phase !== 'sending') return [];
        if (phase === 'sending') {
          entry.attempts.push({
            number: requests,
            startedAt: entry.sentAt,
            durationMs: 0,
            result: { kind: 'interrupted' },
          });
        }
        return [change(entry, recovered(entry.delivery, now, poisonAfter))];
      }),

    get: async (id) => {
      const entry = kept.get(id);
      return entry && { ...entry.delivery };
    },
    attempts: async (id) => [...(kept.get(id)?.attempts ?? [])],
    async list(query = {}) {
      const before = query.before === undefined ? Infinity : deliveryOrder(query.before);
      return [...kept.values()]
        .filter((entry) => entry.order < before && matchesQuery(entry.delivery, query))
        .reverse()
        .slice(0, query.limit ?? 100)
        .map(({ delivery }) => ({ ...delivery }));
    },
    async backlog(endpointId) {
      const open = [...kept.values()]
        .map(({ delivery }) => delivery)
        .filter((d) => !isFinal(d.state) && (endpointId === undefined || d.endpointId === endpointId));
      return {
        pending: open.filter((d) => d.state === 'pending').length,
        retrying: open.filter((d) => d.state === 'retrying').length,
        inFlight: open.filter((d) => d.phase !== 'waiting').length,
        ...(open[0] && { oldestAt: open[0].createdAt }),
      };
    },
  };
}
