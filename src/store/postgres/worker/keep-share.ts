import type { Clock } from '../../../base/clock.js';
import type { CarefulLanes } from './careful-lanes.js';
import type { HeldDeliveries } from './held-deliveries.js';
import type { Lanes } from './lanes.js';

export interface KeepShare {
  /** Takes and sheds lanes. Resolves to those that were taken. */
  balance(): Promise<number[]>;
  /** Gives back lanes that were shed, after their last open request, or a second. */
  giveBackShed(): Promise<void>;
  /** Gives all lanes back. */
  leave(): Promise<void>;
}

/**
 * An endpoint that hangs would stop all others of its lane for 10 s. What is still open after this is sent once
 * more by the next owner; the outcome that is written first counts.
 */
const longestOpenMs = 1000;

/** Keeps this worker's share of the lanes as workers come and go. */
export function createKeepShare(options: {
  clock: Clock;
  lanes: Lanes;
  careful: CarefulLanes;
  held: HeldDeliveries;
  onShed(lane: number): void;
}): KeepShare {
  const { clock, lanes, careful, held, onShed } = options;
  /** Since when, on the monotonic clock. */
  const shedding = new Map<number, number>();

  const giveBack = async (given: number[]): Promise<void> => {
    // What could not be prepared alone is left to the next owner.
    await lanes.giveBack(given, careful.has);
    for (const lane of given) {
      shedding.delete(lane);
      careful.end(lane);
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
      await careful.begin(taken.filter(({ orphaned }) => orphaned).map(({ lane }) => lane));
      return taken.map(({ lane }) => lane);
    },
    giveBackShed() {
      const now = clock.monotonic();
      const isClosed = ([lane, since]: [number, number]): boolean =>
        held.inFlightOfLane(lane) === 0 || now - since > longestOpenMs;
      return giveBack([...shedding].filter(isClosed).map(([lane]) => lane));
    },
    leave: () => giveBack([...lanes.reading(), ...shedding.keys()]),
  };
}
