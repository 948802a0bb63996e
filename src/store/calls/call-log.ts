import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import type {
  BackgroundSpan,
  CallCause,
  CallEffect,
  LogLine,
  OutboundCall,
} from '../../protocol/log-and-outbound-types.js';
import type { LimitUse } from '../../protocol/call-limits.js';

export interface TrafficRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
}

export interface TrafficResponse {
  status: number;
  headers: [name: string, value: string][];
}

export type TrafficOutcome = 'running' | 'ok' | 'failed' | 'no-handler' | 'withheld';

/** One call of the author's script, whoever caused it, or what it did between calls. Secrets are masked before they get here. */
export interface TrafficEntry {
  id: string;
  /** `request`: it came in over HTTP; `event`: the platform fired it; `script`: what ran outside any call. */
  source: 'request' | 'event' | 'script';
  event: PlatformEvent | undefined;
  environment: Environment | undefined;
  time: number;
  /** The integration's version that answered. */
  version: number;
  request?: TrafficRequest;
  response?: TrafficResponse;
  outcome: TrafficOutcome;
  error?: string;
  durationMs?: number;
  requestBytes: number;
  responseBytes: number;
  logs: LogLine[];
  outbound: OutboundCall[];
  /** When the head of the response came, from the beginning of the call. */
  headMs?: number;
  background?: BackgroundSpan[];
  cause?: CallCause;
  effects?: CallEffect[];
  /** Of the script that was called, as built. */
  scriptBytes?: number;
  /** The limits that it came near to, or exceeded. */
  near?: LimitUse[];
}

/** What is kept beside an entry. `outbound-0` has the details of its first outbound request, as JSON. */
export type BodyName = 'request' | 'response' | `outbound-${number}`;

/** What lists call it and filter it by. */
export const trafficType = ({ event, source }: Partial<TrafficEntry>): EventType | 'script' | 'envelope' =>
  event?.type ?? (source === 'script' ? 'script' : 'envelope');

/** Which calls are meant. A call has to match every field. */
export interface CallFilter {
  /** Only these calls, by id. */
  ids?: readonly string[];
  type?: string;
  failed?: boolean;
  /** Whether it came near to a limit. */
  near?: boolean;
  source?: TrafficEntry['source'];
  method?: string;
  /** Text in the path below the endpoint, with its query. */
  path?: string;
  /** Text in the host of an outbound request. */
  host?: string;
  /** One of these ranges of statuses, both ends included. */
  status?: readonly [least: number, most: number][];
  slowerThanMs?: number;
  installation?: string;
  site?: string;
  space?: string;
  since?: number;
  until?: number;
  /** Text in the id, type, address, status, outbound requests, logs or bodies. */
  search?: string;
}

export interface TrafficQuery extends CallFilter {
  /** Only entries after this position (`TrafficPage.items[].position`). */
  after?: number;
  before?: number;
  limit?: number;
}

/** The log that the console and `platform logs` read. Writes are gathered and never block a request. */
export interface TrafficLog {
  /** Inserts or, by `id`, replaces. */
  record(entry: TrafficEntry): void;
  /** Appends a piece of a body, in order. */
  appendBody(id: string, which: BodyName, chunk: Uint8Array): void;
  get(id: string): TrafficEntry | undefined;
  body(id: string, which: BodyName): Uint8Array | undefined;
  /** Newest last. */
  list(query?: TrafficQuery): { position: number; entry: TrafficEntry }[];
  /** How many calls match. */
  count(filter?: CallFilter): number;
  flush(): void;
}
