import type { LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';
import type { Attempt, Delivery } from '../../webhooks/model/delivery.js';
import type { CallRecord } from '../../store/calls/call-log.js';

export type InstallationChange =
  | 'installed'
  | 'configured'
  | 'activated'
  | 'paused'
  | 'resumed'
  | 'uninstalled';

/**
 * Events that only the console needs. For example, the session does not need an event for a build, because it reports each
 * build itself.
 */
export type ConsoleEvent =
  | { type: 'build'; ok: boolean }
  | { type: 'clock' }
  /** A call that had already finished has new information. */
  | { type: 'call-changed'; call: string }
  /** The pages or the visibility of a space have changed. */
  | { type: 'content'; space: string };

/** All events that a client can show, with secrets masked. */
export type EmulatorEvent =
  | { type: 'call-started'; call: CallRecord }
  | { type: 'call-finished'; call: CallRecord }
  /** `late` means that no running call caused the event. */
  | { type: 'log'; call: string | undefined; late: boolean; line: LogLine }
  | { type: 'outbound'; call: string | undefined; late: boolean; request: OutboundCall }
  | { type: 'installation'; installation: string; change: InstallationChange; site?: string; space?: string }
  | { type: 'block'; block: string; change: 'inserted' | 'updated' | 'removed' }
  | { type: 'task'; task: string; change: 'queued' | 'finished' | 'dropped' | 'cancelled' }
  | { type: 'delivery'; delivery: Delivery; attempt?: Attempt }
  | { type: 'endpoint'; endpoint: string; change: 'added' | 'changed' | 'removed' }
  | { type: 'reloaded'; version: number }
  | { type: 'state-loaded'; name: string }
  | { type: 'warning'; code: string; message: string; call?: string };
