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
  /** Identifies the owner of a lane; stays the same after a lost session. */
  processId: string;
  /** No other worker of this process is alive. */
  alone: boolean;
  owner: DeliveryOwner;
  /** The endpoints that were read a moment ago. */
  known?: EndpointSnapshot;
  /** Reads a stored endpoint. One whose secret cannot be decrypted is closed. */
  readEndpoint(value: unknown): Endpoint;
  /** A larger body is not loaded. */
  maxBodyBytes: number;
  /** Sets aside a delivery whose body is larger. */
  poisonLarge(due: DueDelivery): Promise<unknown>;
  /** Called when an outcome is on disk, with the state of the delivery. */
  onWritten(endpointId: string, state: DeliveryState): void;
  /** Runs every 10 seconds. */
  tidyUp(): Promise<unknown>;
}
