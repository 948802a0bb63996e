import type { Clock } from '../../base/clock.js';
import type { CarefulLanes } from './careful-lanes.js';
import type { HeldDeliveries } from './held-deliveries.js';
import type { Lanes } from './lane-ownership.js';

export interface LaneBalance {
  /** Takes lanes, or gives up surplus lanes. Resolves to the lanes that were taken. */
  balance(): Promise<number[]>;
  /** Releases each lane that was given up once its last request in flight has ended, but after one second at the latest. */
  releaseShed(): Promise<void>;
  /** Drops the unsent deliveries, and releases all lanes and the membership. */
  leave(): Promise<void>;
}

/**
 * Waiting longer for an unresponsive endpoint would block all other endpoints in its lane for 10 s. The next owner
 * does not touch requests in flight until they must have ended.
 */
const longestOpenMs = 1000;

/** Adjusts this worker's share of the lanes as workers join and leave. */
export function createLaneBalance(options: {
  clock: Clock;
  lanes: Lanes;
  careful: CarefulLanes;
  held: HeldDeliveries;
  onShed(lane: number): void;
}): LaneBalance {
  const { clock, lanes, careful, held, onShed } = options;
  /** When each lane was given up, on the monotonic clock. */
  const shedding = new Map<number, number>();

  const release = async (given: number[]): Promise<void> => {
    // If a lane still has suspects that have not been prepared, its next owner must also prepare each of them on its own.
    await lanes.release(given, careful.has, held.openInLane);
    for (const lane of given) {
      shedding.delete(lane);
      careful.released(lane);
    }
  };

  return {
    async balance() {
      const { taken, shed } = await lanes.balance(held.inFlightOfLane);
      for (const lane of shed) {
        shedding.set(lane, clock.monotonic());
        held.dropLane(lane);
        onShed(lane);
      }
      careful.add(taken.filter(({ orphaned }) => orphaned).map(({ lane }) => lane));
      for (const { open } of taken) held.leaveAlone(open, clock.monotonic());
      return taken.map(({ lane }) => lane);
    },
    releaseShed() {
      const now = clock.monotonic();
      const isClosed = ([lane, since]: [number, number]): boolean =>
        held.inFlightOfLane(lane) === 0 || now - since > longestOpenMs;
      return release([...shedding].filter(isClosed).map(([lane]) => lane));
    },
    async leave() {
      held.dropWaiting();
      await release([...lanes.reading(), ...shedding.keys()]);
      await lanes.quit();
    },
  };
}
