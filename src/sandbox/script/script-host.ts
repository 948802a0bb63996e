import type { Environment } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { OutboundMap } from '../../protocol/outbound-map.js';
import type { BackgroundSpan, LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';

export interface ScriptCall {
  /** Identifies the call in the call log, in its log lines and in its outbound requests. */
  id: string;
  event: PlatformEvent;
  environment: Environment;
  /** The unchanged request body, if any. */
  body?: ReadableStream<Uint8Array> | Uint8Array;
  signal?: AbortSignal;
}

/** The call that a report belongs to, if any. Secrets are masked in the report. */
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

/** What an outbound request sent and received. Secrets in it are not masked, so mask them before storing it. */
export interface OutboundExchange {
  request: SentMessage;
  response?: SentMessage;
}

export interface SentMessage {
  headers: [name: string, value: string][];
  /** The beginning of the body, encoded as base64. */
  body?: string;
}

/** A promise that a call has passed to `waitUntil`, with its number. Reported when it is passed and again when it settles. */
export type ScriptBackground = BackgroundSpan & OfCall & { number: number };

/** Runs the author's script in a child process, or in the same process in tests. */
export interface ScriptHost {
  call(call: ScriptCall): Promise<Response>;
  /** Forwards a hand-written multipart request unchanged (`POST /v1` and the other envelope routes). */
  raw(id: string, request: Request): Promise<Response>;
  /** Ends a call that has not responded. Returns whether the call was found. */
  stop?(id: string): boolean;
  /** Returns the size of the current script, if it is known. */
  scriptBytes?(): number | undefined;
  /** Undefined if they are unknown. */
  definedIds?(): DefinedIds | undefined;
}

export interface ScriptObserver {
  /** Masks secrets in all values passed to `log` and `outbound` afterwards, except in `exchange`. */
  mask(text: string): string;
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
  /** Called when a call has blocked the script for a second. This is also logged, with a stack. */
  blocked?(by: { callId: string | undefined; at: string | undefined }): void;
}

/** How to handle a script's outbound requests. */
export interface OutboundRules {
  reroutes: OutboundReroute[];
  /** Whether headers and bodies are recorded. */
  details: boolean;
  /** The base URL of the platform's own API. Requests to it contain the id of the call that sent them. */
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
  /** The body, encoded as base64. */
  body?: string;
}

export interface ScriptOutboundMap extends OutboundMap {
  /** The platform's own origins, to which the map does not apply. */
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
