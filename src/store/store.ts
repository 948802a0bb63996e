import type { DeliveryStore } from '../webhooks/queue/delivery-store.js';
import type { StateStore } from './state/state-store.js';
import type { TrafficLog } from './calls/call-log.js';

/** Everything that outlives a restart. */
export interface Store {
  state: StateStore;
  traffic: TrafficLog;
  deliveries: DeliveryStore;
  close(): Promise<void>;
}
