/** When the next deliveries of an endpoint are due, on the monotonic clock. */
interface DueTimes {
  at: number;
  suspectAt: number;
}

/** What the scheduler knows of one endpoint. */
export interface EndpointQueue {
  endpointId: string;
  /** Nothing is taken up for it: disabled, paused or removed. */
  closed: boolean;
  due: DueTimes;
  /** While its deliveries are claimed: what became due in the meantime. */
  claiming: DueTimes | undefined;
  inFlight: number;
  /** The maximum number of its concurrent requests. */
  window: number;
  /** Its last request took long: the next ones begin beside the shared pool. */
  stalled: boolean;
}

export const never = (): DueTimes => ({ at: Infinity, suspectAt: Infinity });

export const createEndpointQueue = (endpointId: string): EndpointQueue => ({
  endpointId,
  closed: true,
  due: never(),
  claiming: undefined,
  inFlight: 0,
  window: 1,
  stalled: false,
});

export const earlier = (a: DueTimes, b: DueTimes): DueTimes => ({
  at: Math.min(a.at, b.at),
  suspectAt: Math.min(a.suspectAt, b.suspectAt),
});

/** How many more requests it could have now. */
export const roomOf = (queue: EndpointQueue, most: number): number =>
  queue.closed || queue.claiming ? 0 : Math.min(queue.window, most) - queue.inFlight;
