import type { NextDue } from './delivery-store.js';

/** One endpoint's place in the queue. */
export interface Lane {
  endpointId: string;
  /** Nothing is taken up for it: disabled, paused or removed. */
  closed: boolean;
  next: NextDue;
  /** While its deliveries are looked up: what became due in the meantime. */
  claiming: NextDue | undefined;
  inFlight: number;
  /** How many requests it may have at once, of those that it is given. */
  window: number;
  /** Its last request took long: the next ones begin beside the shared pool. */
  stalled: boolean;
}

export const createLane = (endpointId: string): Lane => ({
  endpointId,
  closed: true,
  next: {},
  claiming: undefined,
  inFlight: 0,
  window: 1,
  stalled: false,
});

export const earliest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);

export function mergeDue(a: NextDue, b: NextDue): NextDue {
  const dueAt = earliest(a.dueAt, b.dueAt);
  const suspectDueAt = earliest(a.suspectDueAt, b.suspectDueAt);
  return { ...(dueAt !== undefined && { dueAt }), ...(suspectDueAt !== undefined && { suspectDueAt }) };
}

/** How many requests more it could have now. */
export const roomOf = (lane: Lane, most: number): number =>
  lane.closed || lane.claiming ? 0 : Math.min(lane.window, most) - lane.inFlight;
