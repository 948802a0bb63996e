import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import type {
  BackgroundSpan,
  CallCause,
  CallEffect,
  CallMemory,
  DefaultedProperties,
  LogLine,
  OutboundCall,
} from '../../protocol/log-and-outbound-types.js';
import type { LimitUse } from '../../protocol/call-limits.js';

type Headers = [name: string, value: string][];

export type CallOutcome = 'running' | 'ok' | 'failed' | 'no-handler' | 'withheld';

/** A call of the author's script, or the script's activity between calls. Secrets are already masked. */
export interface CallRecord {
  id: string;
  /** `request`: an HTTP request. `event`: an event sent by the platform. `script`: activity outside any call. */
  source: 'request' | 'event' | 'script';
  event: PlatformEvent | undefined;
  environment: Environment | undefined;
  /** Absent for calls without an environment and in state saved by older versions. */
  defaulted?: DefaultedProperties;
  time: number;
  version: number;
  request?: { method: string; url: string; headers: Headers };
  response?: { status: number; headers: Headers };
  outcome: CallOutcome;
  error?: string;
  durationMs?: number;
  requestBytes: number;
  responseBytes: number;
  logs: LogLine[];
  outbound: OutboundCall[];
  /** The time from the start of the call until the response headers arrived. */
  headMs?: number;
  background?: BackgroundSpan[];
  cause?: CallCause;
  effects?: CallEffect[];
  /** The size of the built script that handled the call. */
  scriptBytes?: number;
  /** A scope that the event requires but the manifest does not request. */
  missingScope?: string;
  /** The memory that the script's process used when it responded, if known. */
  memory?: CallMemory;
  /** The limits that the call came close to or exceeded. */
  near?: LimitUse[];
  /** Problems that the platform noticed during the call, such as a missing scope or unknown markup. */
  problems?: CallProblem[];
  /** Absent if there were no problems, while the call is running, and in state files saved by older versions. */
  verdict?: CallVerdict;
}

/** `none` means that there are no problems or the call is still running. */
export const severityNames = ['error', 'warning', 'none'] as const;
export type Severity = (typeof severityNames)[number];

export interface CallProblem {
  code: string;
  severity: 'error' | 'warning';
  message: string;
}

/**
 * What went wrong in a call. A call with a successful status can still have an error, such as a rejected
 * `waitUntil`.
 */
export interface CallVerdict {
  severity: 'error' | 'warning';
  /** The most serious problem, on one line. */
  reason: string;
  /** The line in the author's code, if known. */
  at?: { file: string; line: number; column: number };
  /** If the error is only a symptom, its likely cause and how to fix it. */
  likelyCause?: string;
}

/**
 * Data that is stored separately from the call. `outbound-0` contains the details of the first outbound request that
 * finished, as JSON.
 */
export type BodyName = 'request' | 'response' | `outbound-${number}`;

/** The type of a call, as shown in lists and used in filters. */
export const callType = ({ event, source }: Partial<CallRecord>): EventType | 'script' | 'envelope' =>
  event?.type ?? (source === 'script' ? 'script' : 'envelope');

export interface CallCriteria {
  ids?: readonly string[];
  /** A leading `-` excludes calls of this type. */
  type?: string;
  /** A leading `-` excludes calls that render this component. */
  component?: string;
  severity?: readonly Severity[];
  /** Whether the call came close to a limit. */
  near?: boolean;
  version?: number;
  /** Text to find in the verdict's reason. */
  reason?: string;
  /** The source position in the verdict: a file, or a file and a line such as `src/index.ts:12`. */
  at?: string;
  source?: CallRecord['source'];
  method?: string;
  /** Text to find in the path after the endpoint, or in the query. */
  path?: string;
  /** Text to find in the host of an outbound request. */
  host?: string;
  /** Inclusive ranges of status codes. A call matches if its status is in one of them. */
  status?: readonly [least: number, most: number][];
  slowerThanMs?: number;
  integration?: string;
  installation?: string;
  site?: string;
  space?: string;
  since?: number;
  until?: number;
  /** Text to find in the id, type, URL, status, outbound requests, logs or bodies. */
  search?: string;
}

export interface CallQuery extends CallCriteria {
  /** Only calls after this position, which is the `position` of an item. */
  after?: number;
  before?: number;
  limit?: number;
}

/** Calls that have the same severity, reason and line. */
export interface ProblemGroup {
  severity: CallVerdict['severity'];
  /** The number of calls, and how many of them the current version handled. */
  calls: number;
  current: number;
  /** When the first and the last call started. */
  first: number;
  last: number;
  newest: CallRecord;
}

export interface ProblemSummary {
  errors: { current: number; all: number };
  warnings: { current: number; all: number };
  /**
   * Groups from the current version come first, followed by all others. In both parts, errors come before warnings,
   * and newer groups before older ones.
   */
  groups: ProblemGroup[];
}

/** The log that the console and `platform logs` show. Writes are buffered and never block a request. */
export interface CallLog {
  /** Inserts the call, or replaces the one with the same `id`. */
  record(call: CallRecord): void;
  /** Appends a chunk of a body. Chunks must be appended in order. */
  appendBody(id: string, which: BodyName, chunk: Uint8Array): void;
  get(id: string): CallRecord | undefined;
  body(id: string, which: BodyName): Uint8Array | undefined;
  /** Returns calls, with the newest last. */
  list(query?: CallQuery): { position: number; call: CallRecord }[];
  count(filter?: CallCriteria): number;
  /** Counts the errors and warnings in all calls, and groups the calls. Returns at most `limit` groups. */
  problems(current: { version: number; limit: number }): ProblemSummary;
  flush(): void;
}
