import type { Installation, SiteInstallation, SpaceInstallation } from '../../protocol/environment.js';
import type { ReplayAnswer } from '../../sandbox/index.js';

/**
 * Recordings in a newer version of the format are rejected. `--update` rewrites older ones. Version 1 has no request headers
 * and only a few response headers, so these are not compared.
 */
export const RECORDING_VERSION = 2;

/** Larger files are neither written nor read. */
export const LARGEST_FILE = 32 * 1024 * 1024;

/**
 * The calls of a script, with their inputs and results. A recording contains only data, so a replay does not run any code from
 * the file.
 */
export interface Recording {
  $schema?: string;
  version: 1 | typeof RECORDING_VERSION;
  integration: string;
  /** The version of this package that wrote the recording. */
  platform: string;
  /** The name in the manifest's `envs` with which the calls were made, if any. */
  environment?: string;
  /** When the first call started. The script sees this as the current time. */
  at: string;
  /** Made-up values for the secrets that the manifest declares. */
  secrets: Record<string, string>;
  calls: RecordedCall[];
}

export interface RecordedCall {
  /** Describes the call for people who read the file. */
  name: string;
  /** Milliseconds after `at`. */
  after: number;
  /** The installation before the call, with the values of its configuration. */
  stored: RecordedInstallation;
  event: RecordedEvent;
  body?: RecordedBody;
  outbound: RecordedRequest[];
  /** Absent if the script never responded. */
  response?: RecordedResponse;
  /** Why the response is missing. */
  failure?: string;
  /** Why promises passed to `waitUntil` were rejected. */
  rejected?: string[];
  /** APIs used by the call that return a different result each time, so the call's results are not compared. */
  unrepeatable?: string[];
}

/** The fields of an event that the recording itself uses. An event from a stranger's file may have any others. */
export interface RecordedEvent {
  type: string;
  eventId?: string;
  request?: { method: string; url: string; headers: Record<string, string> };
  componentId?: string;
  task?: { type?: string };
  [key: string]: unknown;
}

/** JSON is stored as its value, other text as a string, and binary data as `{ "$base64": … }`. */
export type RecordedBody = string | object;

/** A header that occurs more than once has a list of values. */
export type RecordedHeaders = Record<string, string | string[]>;

export type StoredFields = 'status' | 'configuration' | 'externalIds';

export interface RecordedInstallation {
  installation?: Pick<Installation, 'id' | 'organization' | 'spaces' | 'network' | StoredFields>;
  siteInstallation?: Pick<SiteInstallation, 'site' | 'space' | StoredFields>;
  spaceInstallation?: Pick<SpaceInstallation, 'space' | StoredFields>;
}

export interface RecordedRequest {
  /** The method and URL, such as `GET https://api.example.com/items`. */
  send: string;
  /** How long the script waited before it repeated a request: under or over ten seconds. */
  wait?: 'short' | 'long';
  /** Only those that change what the other service does. */
  headers?: RecordedHeaders;
  body?: RecordedBody;
  answer:
    | (Pick<Answered, 'status' | 'url' | 'breaks'> & {
        headers?: RecordedHeaders;
        body?: RecordedBody;
        leftOut?: string;
      })
    | BrokenBody;
  /** The response time in milliseconds. */
  ms: number;
}

type Answered = Extract<ReplayAnswer, { status: number }>;

/**
 * How a request failed, or how the body of its response ended early. Partial bodies are not recorded, because they may contain
 * part of a secret.
 */
export type BrokenBody = Exclude<ReplayAnswer, Answered>;

export interface RecordedResponse {
  status: number;
  headers?: RecordedHeaders;
  body?: RecordedBody;
}
