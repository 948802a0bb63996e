import type { WebhookDispatcher } from '../../../src/webhooks/dispatcher.js';
import type { DeliveryRight } from '../../../src/webhooks/model/delivery-store.js';
import type { Received } from './queue-model.js';
import type { Life } from './world.js';

export type Knob = 'open' | 'closed' | 'unknown';

export interface Request extends Received {
  endpoint: number;
  owner: Process;
  shared: boolean;
  startedAt: number;
}

/** One process with a dispatcher. */
export interface Process extends Life {
  dispatcher: WebhookDispatcher | undefined;
  right: DeliveryRight | undefined;
  /** Pending operations of the store. */
  open: number;
  /** When each delivery or claim failed for which the store is called again. */
  failed: Map<string, number>;
  /** When something was last written. */
  workedAt: number;
  /** Endpoints and installations, as their last change left them. */
  knobs: Map<string, Knob>;
  claiming: Set<string>;
  /** When the last delivery of each endpoint was claimed. */
  claimedAt: Map<string, number>;
  /** When the last outcome of each endpoint was stored. */
  recordedAt: Map<string, number>;
  /** When the outcome of each delivery began to be stored. */
  recording: Map<string, number>;
  requests: Set<Request>;
  answered: Set<number>;
  everSlow: Set<number>;
  /** By a waiting endpoint: how often another one was served meanwhile. */
  passed: Map<string, Map<string, number>>;
  /** Whether the next preparation of a delivery crashes it. */
  crashesNext: boolean;
  cutOffAt: number;
  closing: boolean;
  attempts: { recorded: number; told: number };
}

export const createProcess = (stored: ReadonlyMap<string, Knob>): Process => ({
  dead: false,
  dispatcher: undefined,
  right: undefined,
  open: 0,
  failed: new Map(),
  workedAt: -Infinity,
  knobs: new Map(stored),
  claiming: new Set(),
  claimedAt: new Map(),
  recordedAt: new Map(),
  recording: new Map(),
  requests: new Set(),
  answered: new Set(),
  everSlow: new Set(),
  passed: new Map(),
  crashesNext: false,
  cutOffAt: Infinity,
  closing: false,
  attempts: { recorded: 0, told: 0 },
});
