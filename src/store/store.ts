import type { LocalDeliveryStore } from '../webhooks/model/delivery-store.js';
import type { StateStore } from './state/state-store.js';
import type { CallLog } from './calls/call-log.js';
import type { Clock } from '../base/clock.js';
import { createMemoryDeliveries } from '../webhooks/queue/memory-delivery-store.js';
import { defaultLimits, type StoreLimits } from './model/store-limits.js';
import { createMemoryState } from './state/memory-state.js';
import { createMemoryCallLog } from './calls/memory-call-log.js';

/** All data that survives a restart of the platform. */
export interface Store {
  state: StateStore;
  callLog: CallLog;
  deliveries: LocalDeliveryStore;
  close(): Promise<void>;
}

/** Keeps everything in memory until the process ends. Used for `--state memory` and in tests. */
export function createMemoryStore(clock: Clock, limits: Partial<StoreLimits> = {}): Store {
  const all = { ...defaultLimits, ...limits };
  return {
    state: createMemoryState(),
    callLog: createMemoryCallLog(all),
    deliveries: createMemoryDeliveries({ clock, entries: all.entries }),
    async close() {},
  };
}
