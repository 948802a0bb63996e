import type { Clock } from '../../../base/clock.js';
import type { Endpoint } from '../../../webhooks/model/endpoint.js';
import type { DeliveryOwner } from '../../../webhooks/model/delivery-store.js';
import type { DeliveryState } from '../../../webhooks/model/delivery.js';
import type { WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../model/tables.js';
import type { DueDelivery } from './due-reader.js';
import type { EndpointSnapshot } from './endpoint-feed.js';

export interface WorkerOptions {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  pollMs: number;
  /** Identifies the owner of a lane. Stays the same after a session is lost. */
  processId: string;
  /** True if this process has no other live worker. */
  alone: boolean;
  owner: DeliveryOwner;
  /** Endpoints that were read a moment ago. */
  known?: EndpointSnapshot;
  /** Reads a stored endpoint. If its secret cannot be decrypted, the endpoint is treated as closed. */
  readEndpoint(value: unknown): Endpoint;
  /** Bodies larger than this are not loaded. */
  maxBodyBytes: number;
  /** Sets aside a delivery whose body is larger than `maxBodyBytes`. */
  poisonLarge(due: DueDelivery): Promise<unknown>;
  /** Called when an outcome is on disk, with the delivery's state. */
  onWritten(endpointId: string, state: DeliveryState): void;
  /** Runs every 10 seconds. */
  tidyUp(): Promise<unknown>;
}
