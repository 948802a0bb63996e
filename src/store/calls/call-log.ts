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

export interface RecordedRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
}

export interface RecordedResponse {
  status: number;
  headers: [name: string, value: string][];
}

export type CallOutcome = 'running' | 'ok' | 'failed' | 'no-handler' | 'withheld';

/**
 * One call of the author's script, or what the script did between calls. Secrets are masked before they get
 * here.
 */
export interface CallRecord {
  id: string;
  /** `request`: it came in over HTTP; `event`: the platform sent it; `script`: work outside of any call. */
  source: 'request' | 'event' | 'script';
  event: PlatformEvent | undefined;
  environment: Environment | undefined;
  time: number;
  /** The version of the integration that handled the call. */
  version: number;
  request?: RecordedRequest;
  response?: RecordedResponse;
  outcome: CallOutcome;
  error?: string;
  durationMs?: number;
  requestBytes: number;
  responseBytes: number;
  logs: LogLine[];
  outbound: OutboundCall[];
  /** Time from the start of the call to the head of the response. */
  headMs?: number;
  background?: BackgroundSpan[];
  cause?: CallCause;
  effects?: CallEffect[];
  /** Size of the built script that was called. */
  scriptBytes?: number;
  /** A scope that the event needs and the manifest did not request. */
  missingScope?: string;
  /** The limits that the call came close to or exceeded. */
  near?: LimitUse[];
  /** What the platform noticed during the call, such as a missing scope or unknown markup. */
  problems?: CallProblem[];
  /** Absent if nothing is wrong, while the call is running, and in states of older versions. */
  verdict?: CallVerdict;
}

/** `none`: nothing is wrong, or the call is still running. */
export const severityNames = ['error', 'warning', 'none'] as const;
export type Severity = (typeof severityNames)[number];

export interface CallProblem {
  code: string;
  severity: 'error' | 'warning';
  message: string;
}

/** What is wrong with a call. A call with a good status can have an error, such as a rejected `waitUntil`. */
export interface CallVerdict {
  severity: 'error' | 'warning';
  /** The worst problem, as one line. */
  reason: string;
  /** The author's line, if it is known. */
  at?: { file: string; line: number; column: number };
  /** What probably caused an error that shows only the consequence, and what to do. */
  likelyCause?: string;
}

/**
 * The data that is stored separately from an entry. `outbound-0` has the details of the outbound request that
 * ended first, as JSON.
 */
export type BodyName = 'request' | 'response' | `outbound-${number}`;

/** The type that lists show and filter by. */
export const callType = ({ event, source }: Partial<CallRecord>): EventType | 'script' | 'envelope' =>
  event?.type ?? (source === 'script' ? 'script' : 'envelope');

/** Which calls to return. A call has to match every field. */
export interface CallFilter {
  /** Only the calls with these ids. */
  ids?: readonly string[];
  /** With `-` in front, all other types. */
  type?: string;
  /** With `-` in front, all calls but the renders of this component. */
  component?: string;
  severity?: readonly Severity[];
  /** Whether the call came close to a limit. */
  near?: boolean;
  /** Only calls that this version handled. */
  version?: number;
  /** Text in the reason of the verdict. */
  reason?: string;
  /** The place of the verdict: a file, or a file and a line such as `src/index.ts:12`. */
  at?: string;
  source?: CallRecord['source'];
  method?: string;
  /** Text in the path below the endpoint, or in its query. */
  path?: string;
  /** Text in the host of an outbound request. */
  host?: string;
  /** Ranges of statuses, both ends included. The status has to be in one of them. */
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

export interface CallQuery extends CallFilter {
  /** Only entries after this position (`position` of an item). */
  after?: number;
  before?: number;
  limit?: number;
}

/** Calls with the same severity, reason and line. */
export interface ProblemGroup {
  severity: CallVerdict['severity'];
  /** How many calls there are, and how many of them the current version handled. */
  calls: number;
  current: number;
  /** When the first and the last of them began. */
  first: number;
  last: number;
  newest: CallRecord;
}

export interface ProblemSummary {
  errors: { current: number; all: number };
  warnings: { current: number; all: number };
  /** Groups of the current version first, then errors before warnings, then the newest first. */
  groups: ProblemGroup[];
}

/** The log that the console and `platform logs` read. Writes are buffered and never block a request. */
export interface CallLog {
  /** Inserts the entry, or replaces the entry with the same `id`. */
  record(entry: CallRecord): void;
  /** Appends a chunk of a body. Chunks arrive in order. */
  appendBody(id: string, which: BodyName, chunk: Uint8Array): void;
  get(id: string): CallRecord | undefined;
  body(id: string, which: BodyName): Uint8Array | undefined;
  /** Newest last. */
  list(query?: CallQuery): { position: number; entry: CallRecord }[];
  /** How many calls match. */
  count(filter?: CallFilter): number;
  /** Counts the errors and warnings of all calls, and groups them. At most `limit` groups are returned. */
  problems(current: { version: number; limit: number }): ProblemSummary;
  flush(): void;
}
