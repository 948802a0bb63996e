import type { DeliveryStore } from '../webhooks/queue/delivery-store.js';
import type { StateStore } from './state.js';
import type { TrafficLog } from './traffic.js';

/** Everything that outlives a restart. */
export interface Store {
  state: StateStore;
  traffic: TrafficLog;
  deliveries: DeliveryStore;
  close(): Promise<void>;
}
