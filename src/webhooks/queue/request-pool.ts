/** The maximum number of requests in flight to a single endpoint. */
export const mostPerEndpoint = 4;

/** The number of requests in flight to an endpoint, and the maximum. */
export interface RequestWindow {
  inFlight: number;
  /** Grows by one with each response, and drops back to one when a request receives no response. */
  size: number;
  /**
   * True if there has been a slow request and no response since. While this is true, new requests start outside the
   * shared pool.
   */
  stalled: boolean;
}

export const newWindow = (): RequestWindow => ({ inFlight: 0, size: 1, stalled: false });

/** Permission to send one request. */
export interface Slot {
  readonly window: RequestWindow;
  shared: boolean;
  preparing: boolean;
  slow: boolean;
  free: boolean;
}

/**
 * Counts requests. At first, an endpoint receives one request at a time. Each response allows one more, and the
 * number drops back to one when the endpoint does not respond. Slow requests continue outside the shared pool, so
 * unresponsive endpoints cannot fill it.
 */
export class RequestPool {
  readonly #concurrency: number;
  readonly #perEndpoint: number;
  #shared = 0;
  #taken = 0;
  #preparing = 0;
  /** The number of endpoints with requests in flight. */
  #busy = 0;

  constructor({ concurrency, perEndpoint }: { concurrency: number; perEndpoint: number }) {
    this.#concurrency = concurrency;
    this.#perEndpoint = perEndpoint;
  }

  get taken(): number {
    return this.#taken;
  }

  /** The number of requests that have not started yet. */
  get preparing(): number {
    return this.#preparing;
  }

  /** Whether the endpoint's own window allows another request. */
  inWindow({ size, inFlight }: RequestWindow): boolean {
    return inFlight < Math.min(size, this.#perEndpoint);
  }

  /**
   * Whether the pool has room for the endpoint's next request. `endpoints` is the number of endpoints that requests
   * may be sent to.
   */
  hasRoom({ stalled, inFlight }: RequestWindow, endpoints: number): boolean {
    if (stalled) return true;
    if (inFlight === 0 || this.#busy <= 1) return this.#shared < this.#concurrency;
    // While other endpoints are busy, an endpoint's second request must leave one slot free for each idle endpoint,
    // up to half of the pool.
    const kept = Math.max(0, Math.min(endpoints - this.#busy, this.#concurrency / 2));
    return this.#shared < this.#concurrency - kept;
  }

  take(window: RequestWindow): Slot {
    const slot = { window, shared: !window.stalled, preparing: true, slow: false, free: false };
    if (slot.shared) this.#shared += 1;
    if (window.inFlight === 0) this.#busy += 1;
    window.inFlight += 1;
    this.#taken += 1;
    this.#preparing += 1;
    return slot;
  }

  endPreparation(slot: Slot): void {
    if (slot.preparing) this.#preparing -= 1;
    slot.preparing = false;
  }

  /** Moves a slow request out of the shared pool, so that no other request has to wait for it. */
  markSlow(slot: Slot): void {
    slot.slow = true;
    slot.window.stalled = true;
    this.#leaveShared(slot);
  }

  /** Ends a request. If the request was `answered`, the endpoint may receive one more request at a time. */
  finish(slot: Slot, answered: boolean): void {
    slot.window.size = answered ? Math.min(this.#perEndpoint, slot.window.size + 1) : 1;
    // A request that fails quickly after a slow one, for example because of a cached DNS failure, does not show that
    // the endpoint has recovered.
    slot.window.stalled = slot.slow || (slot.window.stalled && !answered);
    this.giveBack(slot);
  }

  /** Returns an unused slot. */
  giveBack(slot: Slot): void {
    this.endPreparation(slot);
    this.#leaveShared(slot);
    slot.free = true;
    slot.window.inFlight -= 1;
    if (slot.window.inFlight === 0) this.#busy -= 1;
    this.#taken -= 1;
  }

  #leaveShared(slot: Slot): void {
    if (slot.shared) this.#shared -= 1;
    slot.shared = false;
  }
}
