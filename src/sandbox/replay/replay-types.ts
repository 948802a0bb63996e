// Data exchanged between the platform and a process that replays calls.

/** Recorded bytes, stored as text if they are valid UTF-8. */
export type ReplayBody = { text: string } | { base64: string };

/** How an outbound request of a recorded call ended. */
export type ReplayAnswer =
  | {
      status: number;
      statusText?: string;
      headers?: [name: string, value: string][];
      body?: ReplayBody;
      /** The final URL, if redirects were followed. */
      url?: string;
      /** Instead of the rest of the body, the script receives this error, or nothing until it aborts the request. */
      breaks?: ReplayFailure;
    }
  | ReplayFailure;

/**
 * `error`: the request failed. `code` comes from the error's cause, such as `ECONNRESET`. `hangs`: the request never receives a
 * response, but the script's own timeout may end it.
 */
export type ReplayFailure = { error: string; code?: string } | { hangs: true };

/** An outbound request of a recorded call. */
export interface ReplayRequest {
  method: string;
  url: string;
  body?: ReplayBody;
  answer: ReplayAnswer;
  /** How long the response took. */
  ms: number;
}

/** A call to run in isolation. All responses that it receives come from this data. */
export interface ReplayCall {
  /** The time that the script sees at the start of the call. */
  now: number;
  /** Makes random values differ between calls. */
  seed: number;
  /** Which random value, counted from 1, is another one, so that the next one receives its value. */
  spare?: number;
  /** The multipart request to the script, encoded as base64. */
  envelope: { contentType: string; body: string };
  /** The recorded requests, ordered by start time. */
  outbound: ReplayRequest[];
  /** How long the script may take to respond, in its own time. */
  limitMs: number;
  /** Set while the call is recorded, when its requests still contain the random values of the log. */
  draft?: true;
  /** Loads the script again for this call. Supported only in Node. */
  fresh?: true;
}

export interface ReplayJob {
  /** The time that the script sees while it loads. */
  now: number;
  calls: ReplayCall[];
}

export interface SentRequest extends Omit<ReplayRequest, 'answer' | 'ms'> {
  headers: [name: string, value: string][];
  /** Milliseconds after the start of the call. */
  at: number;
  /** Absent if the request was in flight when the call ended. */
  answeredAt?: number;
  /** Whether the request is identical to the recorded request whose response it received. */
  match: 'same' | 'similar' | 'none';
  recorded?: number;
  /** Whether the request had a signal that could abort it. */
  limited: boolean;
  /** Whether the script has read the response body. */
  read: boolean;
  /** Set if the request was still in flight when the call's response was complete. */
  open?: true;
  /** A stack that shows where the script sent the request. */
  stack: string;
}

export interface ReplayLog {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}

export interface ReplayOutcome {
  /** Absent if the script never responded. */
  response?: {
    status: number;
    headers: [name: string, value: string][];
    body: ReplayBody;
    /** A stack that shows where the script created the response. */
    stack?: string;
  };
  /** The reason why the response is missing or incomplete. */
  failure?: string;
  /** Set if work passed to `waitUntil` would have waited forever. */
  unfinished?: true;
  outbound: SentRequest[];
  logs: ReplayLog[];
  /** The rejection reasons of promises passed to `waitUntil`. */
  rejected: string[];
  /** The APIs used by the call that return a different result each time. */
  unrepeatable: string[];
  /** Set if `crypto.subtle.decrypt` failed. */
  decryptFailed?: true;
  /** How often the call used random numbers or bytes. */
  randoms?: number;
  /** How long the call took, in the script's own time. */
  durationMs: number;
}

/** The maximum size of a response that is stored and compared. */
export const LARGEST_RESPONSE = 16 * 1024 * 1024;

/** The platform's order to a process: the script file, the job file and the first call to run. */
export interface ReplayOrder {
  script: string;
  job: string;
  from: number;
}

/** What a process reports to the platform about its calls, one line per report. */
export type ReplayReport =
  | { type: 'ready' }
  | { type: 'load-failed'; error: string }
  | { type: 'begin'; call: number }
  | { type: 'end'; call: number; outcome: ReplayOutcome }
  | { type: 'done' };
