import type { Environment } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { OutboundMap } from '../../protocol/outbound-map.js';
import type {
  BackgroundSpan,
  CallMemory,
  Exchange,
  LogLine,
  OutboundCall,
} from '../../protocol/log-and-outbound-types.js';

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
    /** Where the script sent the request, with positions in the bundle. */
    stack?: string;
  };

/** Contains unmasked secrets, so mask them before storing it. */
export type OutboundExchange = Exchange<SentMessage>;

/** The body is the beginning of the message's body. */
export interface SentMessage extends Omit<RequestParts, 'url'> {
  /** Set if part of the body is missing. */
  cut?: true;
}

/**
 * A promise that a call has passed to `waitUntil`, with its number. Reported when the promise is passed and again
 * when it settles.
 */
export type ScriptBackground = BackgroundSpan & OfCall & { number: number };

/** Runs the author's script, either in a child process or, in tests, in the same process. */
export interface ScriptHost {
  call(call: ScriptCall): Promise<Response>;
  /** Forwards a hand-written multipart request to `POST /v1` or another envelope route without changing it. */
  raw(id: string, request: Request): Promise<Response>;
  /** Ends a call that has not responded. Returns whether the call was found. */
  stop?(id: string): boolean;
  /** Returns the size of the current script, if known. */
  scriptBytes?(): number | undefined;
  /** Resolves when all `waitUntil` work is done. */
  settled?(): Promise<void>;
  /** Undefined if the ids are unknown. */
  definedIds?(): DefinedIds | undefined;
}

export interface ScriptObserver {
  /** From now on, masks secrets in all values passed to `log` and `outbound`, except in `exchange`. */
  mask(text: string): string;
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
  /** Called when a call responds, if the memory usage of its process is known. */
  memory?(report: CallMemory & { callId: string }): void;
  /** Called when a call has been blocking the script for a second. The block is also logged, with a stack. */
  blocked?(by: { callId: string | undefined; at: string | undefined }): void;
}

/** How to handle a script's outbound requests. */
export interface OutboundRules {
  reroutes: OutboundReroute[];
  /** Whether headers and bodies are recorded. */
  details: boolean;
  /** The platform's own public URL. Requests to it include the id of the call that sent them. */
  own?: string;
  /** The only origin that the script may reach. */
  only?: string;
  /** Redirects requests to other targets. */
  map?: ScriptOutboundMap;
}

/** The parts of a request that can contain secrets. */
export interface RequestParts {
  url: string;
  headers: [name: string, value: string][];
  /** The body, encoded as base64. */
  body?: string;
}

export interface ScriptOutboundMap extends OutboundMap {
  /** The platform's own origins, which are never mapped to other targets. */
  spared: readonly string[];
}

export const plainOutbound: OutboundRules = { reroutes: [], details: true };

/** If the body of a POST request contains `marker`, sends the request to `url` instead of its original URL. */
export interface OutboundReroute {
  marker: string;
  url: string;
}

/** The contents of a definition passed to `createIntegration()`. */
export interface DefinedIds {
  /** The event types that the script handles. */
  events: readonly string[];
  /** The keys of `events`, including those of handlers that never run. */
  eventKeys: readonly string[];
  components: readonly string[];
  contentSources: readonly string[];
}
