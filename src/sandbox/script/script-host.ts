import type { Environment } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { BackgroundSpan, LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';

export interface ScriptCall {
  /** Identifies the call in the call log, and in its logs and outbound requests. */
  id: string;
  event: PlatformEvent;
  environment: Environment;
  /** The unchanged request body, if there is one. */
  body?: ReadableStream<Uint8Array> | Uint8Array;
  signal?: AbortSignal;
}

/** The call that a report belongs to, if any. Secrets are masked. */
interface OfCall {
  callId: string | undefined;
}

export type ScriptLog = LogLine & OfCall;
export type ScriptOutbound = Omit<OutboundCall, 'details'> &
  OfCall & {
    exchange?: OutboundExchange;
    /** The host, if the rules do not allow it. */
    refused?: string;
  };

/** What an outbound request sent and received, unmasked: mask it before storing it. */
export interface OutboundExchange {
  request: SentMessage;
  response?: SentMessage;
}

export interface SentMessage {
  headers: [name: string, value: string][];
  /** The beginning of the body, as base64. */
  body?: string;
}

/**
 * The n-th promise that a call passed to `waitUntil`: reported when it is passed, and again when it
 * settles.
 */
export type ScriptBackground = BackgroundSpan & OfCall & { number: number };

/** Runs the author's script: in a child process, or in the same process in tests. */
export interface ScriptHost {
  call(call: ScriptCall): Promise<Response>;
  /** Passes on a hand-written multipart request unchanged (`POST /v1` and the other envelope routes). */
  raw(id: string, request: Request): Promise<Response>;
  /** Ends a call that has not responded. Returns whether there was one. */
  stop?(id: string): boolean;
  /** Size of the current script, if it is known. */
  scriptBytes?(): number | undefined;
  /** Undefined if they are unknown. */
  definedIds?(): DefinedIds | undefined;
}

export interface ScriptObserver {
  /** Hides secrets in what `log` and `outbound` receive afterwards, except in `exchange`. */
  mask(text: string): string;
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
  /** Nothing else runs, because a call has kept the script busy for a second. Also logged, with a stack. */
  blocked?(by: { callId: string | undefined; at: string | undefined }): void;
}

/** How to handle a script's outbound requests. */
export interface OutboundRules {
  reroutes: OutboundReroute[];
  /** Whether to record headers and bodies. */
  details: boolean;
  /** The base URL of the platform's own API. Requests to it carry the id of their call. */
  api?: string;
  /** The only origin that the script may reach. */
  only?: string;
}

export const plainOutbound: OutboundRules = { reroutes: [], details: true };

/** Sends POST requests whose body contains `marker` to `url` instead of their own address. */
export interface OutboundReroute {
  marker: string;
  url: string;
}

/** What the definition that a script passes to `createIntegration()` contains. */
export interface DefinedIds {
  /** The types of the events that the script handles. */
  events: readonly string[];
  components: readonly string[];
  contentSources: readonly string[];
}
