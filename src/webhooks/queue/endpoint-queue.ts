/** When an endpoint's next deliveries are due, on the monotonic clock. */
interface DueTimes {
  at: number;
  suspectAt: number;
}

/** What the scheduler knows about one endpoint. */
export interface EndpointQueue {
  endpointId: string;
  /** No deliveries are claimed for it, because it is disabled, paused or removed. */
  closed: boolean;
  due: DueTimes;
  /** While its deliveries are being claimed: the deliveries that became due in the meantime. */
  claiming: DueTimes | undefined;
  inFlight: number;
  /** The maximum number of concurrent requests to this endpoint. */
  window: number;
  /** Its last request took long, so the next ones start outside the shared pool. */
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

/** How many more requests the endpoint could have now. */
export const roomOf = (queue: EndpointQueue, most: number): number =>
  queue.closed || queue.claiming ? 0 : Math.min(queue.window, most) - queue.inFlight;
