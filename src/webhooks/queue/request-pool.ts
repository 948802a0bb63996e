/** How many requests an endpoint has in flight, and how many it may have. */
export interface RequestWindow {
  inFlight: number;
  /** One more with each response, and one again when a request has none. */
  size: number;
  /** The last request was slow, so the next ones start outside the shared pool. */
  stalled: boolean;
}

export const newWindow = (): RequestWindow => ({ inFlight: 0, size: 1, stalled: false });

/** Permission for one request. */
export interface Slot {
  readonly window: RequestWindow;
  shared: boolean;
  preparing: boolean;
  slow: boolean;
  free: boolean;
}

/**
 * Counts requests. An endpoint starts with one at a time, gains one more with each response and loses them when
 * it fails to respond. Slow requests continue outside the shared pool, so endpoints that hang cannot fill it.
 */
export class RequestPool {
  readonly #concurrency: number;
  readonly #perEndpoint: number;
  #shared = 0;
  #taken = 0;
  #preparing = 0;
  /** Number of endpoints with a request in flight. */
  #busy = 0;

  constructor({ concurrency, perEndpoint }: { concurrency: number; perEndpoint: number }) {
    this.#concurrency = concurrency;
    this.#perEndpoint = perEndpoint;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Requests that have not begun. */
  get preparing(): number {
    return this.#preparing;
  }

  /** Whether the endpoint may have one more request, as far as its own window goes. */
  inWindow({ size, inFlight }: RequestWindow): boolean {
    return inFlight < Math.min(size, this.#perEndpoint);
  }

  /**
   * Whether there is a place for the endpoint's next request. `endpoints` is the number of those that may have
   * requests.
   */
  hasRoom({ stalled, inFlight }: RequestWindow, endpoints: number): boolean {
    if (stalled) return true;
    if (inFlight === 0 || this.#busy <= 1) return this.#shared < this.#concurrency;
    // While other endpoints are busy, a second request must leave one place for each idle endpoint, up to half
    // of the pool.
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

  /** The request takes long. It leaves the shared pool, so no other request waits for it. */
  markSlow(slot: Slot): void {
    slot.slow = true;
    slot.window.stalled = true;
    this.#leaveShared(slot);
  }

  /** The request is over. Its endpoint has earned another one if it has `answered`. */
  finish(slot: Slot, answered: boolean): void {
    slot.window.size = answered ? Math.min(this.#perEndpoint, slot.window.size + 1) : 1;
    slot.window.stalled = slot.slow;
    this.giveBack(slot);
  }

  /** There was nothing to send. */
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
