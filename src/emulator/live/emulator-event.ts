import type { LiveEvent } from '../../contract/routes/live.js';
import type { LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';
import type { Attempt, Delivery } from '../../webhooks/model/delivery.js';
import type { CallRecord } from '../../store/calls/call-log.js';

/** Events that the console receives unchanged. */
type SharedEvent = Extract<
  LiveEvent,
  { type: 'installation' | 'block' | 'task' | 'endpoint' | 'reloaded' | 'state-loaded' | 'warning' }
>;

export type InstallationChange = Extract<SharedEvent, { type: 'installation' }>['change'];

/**
 * Events that only the console needs. For example, the session does not need an event for a build, because it reports each
 * build itself.
 */
export type ConsoleEvent = Extract<LiveEvent, { type: 'build' | 'clock' | 'call-changed' | 'content' }>;

/** All events that a client can show, with secrets masked. */
export type EmulatorEvent =
  | SharedEvent
  | { type: 'call-started'; call: CallRecord }
  | { type: 'call-finished'; call: CallRecord }
  /** `late` means that no running call caused the event. */
  | { type: 'log'; call: string | undefined; late: boolean; line: LogLine }
  | { type: 'outbound'; call: string | undefined; late: boolean; request: OutboundCall }
  | { type: 'delivery'; delivery: Delivery; attempt?: Attempt };
