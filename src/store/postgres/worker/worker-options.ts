import type { Clock } from '../../../base/clock.js';
import type { DeliveryOwner } from '../../../webhooks/queue/delivery-store.js';
import type { WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../tables.js';

export interface WorkerOptions {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  pollMs: number;
  owner: DeliveryOwner;
  /** Runs now and then. */
  trim(): Promise<unknown>;
}
