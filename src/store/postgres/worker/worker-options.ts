import type { Clock } from '../../../base/clock.js';
import type { DeliveryOwner } from '../../../webhooks/queue/delivery-store.js';
import type { WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../tables.js';

export interface WorkerOptions {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  pollMs: number;
  /** Names the owner of a lane; the same after a lost session. */
  processId: string;
  /** No other worker of this process lives. */
  alone: boolean;
  owner: DeliveryOwner;
  /** Runs now and then. */
  trim(): Promise<unknown>;
}
