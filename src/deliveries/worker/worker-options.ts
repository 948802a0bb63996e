import type { Clock } from '../../base/clock.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { DeliveryOwner } from '../../webhooks/model/delivery-store.js';
import type { DeliveryState } from '../../webhooks/model/delivery.js';
import type { WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../model/tables.js';
import type { DueDelivery } from './due-reader.js';
import type { EndpointSnapshot } from './endpoint-feed.js';

export interface WorkerOptions {
  session: WorkerSession;
  tables: Tables;
  clock: Clock;
  pollMs: number;
  /** Identifies the owner of a lane. It stays the same after a session is lost. */
  processId: string;
  /** True if no other worker is running in this process. */
  alone: boolean;
  owner: DeliveryOwner;
  /** The endpoints, which have just been read. */
  known?: EndpointSnapshot;
  /** Reads a stored endpoint. An endpoint whose secret cannot be decrypted is treated as closed. */
  readEndpoint(value: unknown): Endpoint;
  /** Bodies larger than this are not loaded. */
  maxBodyBytes: number;
  /** Sets aside a delivery whose body is larger than `maxBodyBytes`. */
  poisonLarge(due: DueDelivery): Promise<unknown>;
  /** Called with the delivery's state once an outcome is on disk. */
  onWritten(endpointId: string, state: DeliveryState): void;
  /** Runs every 10 seconds. */
  tidyUp(): Promise<unknown>;
}
