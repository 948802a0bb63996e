import type { Environment } from '../protocol/environment.js';
import type { PlatformEvent } from '../protocol/events.js';
import type { BackgroundSpan, LogLine, OutboundCall } from '../protocol/log-and-outbound-types.js';

export interface ScriptCall {
  /** Names the call in the traffic log; logs and outbound calls carry it. */
  id: string;
  event: PlatformEvent;
  environment: Environment;
  /** The request body, untouched. Absent where there was none. */
  body?: ReadableStream<Uint8Array> | Uint8Array;
  signal?: AbortSignal;
}

/** Of which call it is, where it is of one. Secrets are masked. */
interface OfCall {
  callId: string | undefined;
}

export type ScriptLog = LogLine & OfCall;
export type ScriptOutbound = Omit<OutboundCall, 'details'> & OfCall & { exchange?: OutboundExchange };

/** What an outbound request sent and received, as it was: whoever keeps it masks it first. */
export interface OutboundExchange {
  request: SentMessage;
  response?: SentMessage;
}

export interface SentMessage {
  headers: [name: string, value: string][];
  /** The beginning of the body, as base64. */
  body?: string;
}

/** The n-th promise that a call gave to `waitUntil`: reported when it is given, and when it is settled. */
export type ScriptBackground = BackgroundSpan & OfCall & { number: number };

/** Whatever runs the author's script: a child process, or the same process in tests. */
export interface ScriptHost {
  call(call: ScriptCall): Promise<Response>;
  /** A hand-made multipart request, as it came (`POST /v1` and its kin). */
  raw(id: string, request: Request): Promise<Response>;
}

export interface ScriptObserver {
  /** Hides secrets in what `log` and `outbound` then get, except in `exchange`. */
  mask(text: string): string;
  log(entry: ScriptLog): void;
  outbound(entry: ScriptOutbound): void;
  background(entry: ScriptBackground): void;
}

/** For a script that starts before there is something that observes it. */
export const deferredObserver = (current: () => ScriptObserver | undefined): ScriptObserver => ({
  mask: (text) => current()?.mask(text) ?? text,
  log: (entry) => current()?.log(entry),
  outbound: (entry) => current()?.outbound(entry),
  background: (entry) => current()?.background(entry),
});

/** How a script's outbound requests are treated. */
export interface OutboundRules {
  reroutes: OutboundReroute[];
  /** Headers and bodies are recorded. */
  details: boolean;
  /** Where the platform's own API begins: it learns which call a request is part of. */
  api?: string;
}

export const plainOutbound: OutboundRules = { reroutes: [], details: true };

/** A POST of the script whose body contains `marker` goes to `url`, whatever address it was sent to. */
export interface OutboundReroute {
  marker: string;
  url: string;
}
