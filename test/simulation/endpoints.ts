import { createDueQueue, type DueEntry, type DueQueue } from '../../src/webhooks/queue/due-heap.js';

export const laneCount = 256;

export type Behaviour = 'healthy' | 'failing' | 'hanging';

/** A pending delivery, as the database has it. */
export interface Row extends DueEntry {
  id: string;
  endpoint: SimulatedEndpoint;
  /** Requests whose outcome was written. */
  attempts: number;
  createdAt: number;
  sentAt: number | undefined;
  requests: number;
  /** The attempt of its last request, from 1. */
  sentAttempts: number;
}

export interface SimulatedEndpoint {
  id: string;
  lane: number;
  behaviour: Behaviour;
  /** How long a response takes, on average. */
  responseMs: number;
  /** More arrives than four requests at a time can carry. */
  overloaded: boolean;
  pending: DueQueue<Row>;
  /** Deliveries without a final outcome. */
  waiting: number;
  open: number;
  mostOpen: number;
}

export interface EndpointOptions {
  endpoints: number;
  perSecond: number;
  failing: number;
  hanging: number;
}

const window = 4;

export interface Population {
  all: readonly SimulatedEndpoint[];
  /** The endpoint of the next event: the n-th most popular gets 1/n of what the first gets. */
  next(): SimulatedEndpoint;
}

export function createPopulation(options: EndpointOptions, random: () => number): Population {
  const { endpoints, perSecond, failing, hanging } = options;
  const shares = Float64Array.from({ length: endpoints }, (_, rank) => 1 / (rank + 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  const upTo = shares.map((share) => (sum += share / total));

  const all = Array.from({ length: endpoints }, (_, rank): SimulatedEndpoint => {
    const dice = random();
    const behaviour = dice < hanging ? 'hanging' : dice < hanging + failing ? 'failing' : 'healthy';
    const responseMs = 20 * Math.exp(2 * random());
    return {
      id: `whe_${rank}`,
      lane: Math.floor(random() * laneCount),
      behaviour,
      responseMs,
      overloaded: (((shares[rank] as number) / total) * perSecond * responseMs) / 1000 > 0.7 * window,
      pending: createDueQueue<Row>(() => true),
      waiting: 0,
      open: 0,
      mostOpen: 0,
    };
  });

  const next = (): SimulatedEndpoint => {
    const wanted = random();
    let [low, high] = [0, endpoints - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return all[low] as SimulatedEndpoint;
  };

  return { all, next };
}
