import type { Environment } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { OutboundMap } from '../../protocol/outbound-map.js';
import type { BackgroundSpan, LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';

export interface ScriptCall {
  /** Identifies the call in the call log, and in its logs and outbound requests. */
  id: string;
  event: PlatformEvent;
  environment: Environment;
  /** The unchanged request body, if any. */
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

/** The data that an outbound request sent and received. It is unmasked, so mask it before storing it. */
export interface OutboundExchange {
  request: SentMessage;
  response?: SentMessage;
}

export interface SentMessage {
  headers: [name: string, value: string][];
  /** The beginning of the body, as base64. */
  body?: string;
}

/** A call's n-th promise passed to `waitUntil`, reported when it is passed and again when it settles. */
export type ScriptBackground = BackgroundSpan & OfCall & { number: number };

/** Runs the author's script in a child process, or in the same process in tests. */
export interface ScriptHost {
  call(call: ScriptCall): Promise<Response>;
  /** Forwards a hand-written multipart request unchanged (`POST /v1` and the other envelope routes). */
  raw(id: string, request: Request): Promise<Response>;
  /** Ends a call that has not responded. Returns whether the call was found. */
  stop?(id: string): boolean;
  /** The current script's size, if known. */
  scriptBytes?(): number | undefined;
  /** Undefined if they are unknown. */
  definedIds?(): DefinedIds | undefined;
}

export interface ScriptObserver {
  /** Masks secrets in later values for `log` and `outbound`, except in `exchange`. */
  mask(text: string): string;
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
  /** Called when a call has blocked the script for a second. Also logged, with a stack. */
  blocked?(by: { callId: string | undefined; at: string | undefined }): void;
}

/** How to handle a script's outbound requests. */
export interface OutboundRules {
  reroutes: OutboundReroute[];
  /** Whether to record headers and bodies. */
  details: boolean;
  /** The base URL of the platform's own API. Requests to it include their call id. */
  api?: string;
  /** The only origin that the script may reach. */
  only?: string;
  /** Maps requests to other targets. */
  map?: ScriptOutboundMap;
}

/** The parts of a request that can contain a secret. */
export interface RequestParts {
  url: string;
  headers: [name: string, value: string][];
  /** The body in base64. */
  body?: string;
}

export interface ScriptOutboundMap extends OutboundMap {
  /** The platform's own origins, which the map does not change. */
  spared: readonly string[];
}

export const plainOutbound: OutboundRules = { reroutes: [], details: true };

/** Sends POST requests whose body contains `marker` to `url` instead of their original URL. */
export interface OutboundReroute {
  marker: string;
  url: string;
}

/** The contents of a definition passed to `createIntegration()`. */
export interface DefinedIds {
  /** The event types that the script handles. */
  events: readonly string[];
  components: readonly string[];
  contentSources: readonly string[];
}
