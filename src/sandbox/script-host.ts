import type { Environment } from '../protocol/environment.js';
import type { PlatformEvent } from '../protocol/events.js';

export interface ScriptCall {
  /** Names the call in the traffic log; logs and outbound calls carry it. */
  id: string;
  event: PlatformEvent;
  environment: Environment;
  /** The request body, untouched. Absent where there was none. */
  body?: ReadableStream<Uint8Array> | Uint8Array;
  signal?: AbortSignal;
}

export interface ScriptLog {
  callId: string | undefined;
  level: 'debug' | 'info' | 'warn' | 'error';
  /** Already formatted, secrets masked. */
  text: string;
  time: number;
}

export interface OutboundCall {
  callId: string | undefined;
  method: string;
  url: string;
  /** 0 where no answer came. */
  status: number;
  error?: string;
  durationMs: number;
  requestBytes: number;
  responseBytes: number;
  time: number;
}

/** Whatever runs the author's script: a child process, or the same process in tests. */
export interface ScriptHost {
  call(call: ScriptCall): Promise<Response>;
  /** A hand-made multipart request, as it came (`POST /v1` and its kin). */
  raw(id: string, request: Request): Promise<Response>;
}

export interface ScriptObserver {
  log(entry: ScriptLog): void;
  outbound(entry: OutboundCall): void;
}

/** A POST of the script whose body contains `marker` goes to `url`, whatever address it was sent to. */
export interface OutboundReroute {
  marker: string;
  url: string;
}
