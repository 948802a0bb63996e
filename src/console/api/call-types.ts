import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import type { LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';

export type TrafficOutcome = 'running' | 'ok' | 'failed' | 'no-handler' | 'withheld';

/** A call of the author's script as lists show it. */
export interface TrafficLine {
  id: string;
  /** In the log; known of what was read there. */
  position?: number;
  source: 'request' | 'event' | 'script';
  type: EventType | 'envelope' | 'script';
  /** What the event is about: a status, an address, a task. */
  subject?: string;
  component?: string;
  action?: string;
  installation?: string;
  site?: string;
  space?: string;
  time: number;
  version: number;
  method?: string;
  url?: string;
  status?: number;
  outcome: TrafficOutcome;
  error?: string;
  durationMs?: number;
  requestBytes: number;
  responseBytes: number;
  logs: number;
  outbound: number;
  /** What the script said outside of any call. */
  lines?: { level: LogLine['level']; text: string }[];
}

export interface TrafficFilter {
  type: string;
  failed: boolean;
  search: string;
}

export type Headers = [name: string, value: string][];

/** All that is known of a call. */
export interface TrafficEntry {
  id: string;
  source: 'request' | 'event' | 'script';
  event?: PlatformEvent;
  environment?: Environment;
  time: number;
  version: number;
  request?: { method: string; url: string; headers: Headers };
  response?: { status: number; headers: Headers };
  outcome: TrafficOutcome;
  error?: string;
  durationMs?: number;
  requestBytes: number;
  responseBytes: number;
  logs: LogLine[];
  outbound: OutboundCall[];
}
