import type { ReplayJob } from '../replay/replay-types.js';

/** Requests other than calls that the platform can send to the module in front of the script. */
export type WorkerOrder = 'load' | 'ping' | 'drain';

/** Sent with each request to workerd, hidden from scripts. */
export interface WorkerHead {
  /** Protects against other programs that find the socket but do not have the key. */
  key: string;
  call?: string;
  order?: WorkerOrder;
}

/** Sent with each outbound request. */
export interface OutboundHead extends Pick<WorkerHead, 'key' | 'call'> {
  /** Numbers a call's requests by their start. Bodies of different lengths change the order of arrival. */
  number: number;
  /** How the script handles redirects. */
  redirect: RequestRedirect;
}

/**
 * The header that contains the head as JSON between workerd and the platform. workerd does not pass it to
 * the script.
 */
export const HEAD_HEADER = 'x-platform-head';

/** Settings that the worker module receives together with its code. */
export interface WorkerSettings {
  key: string;
  /** The platform's version. */
  version: string;
  /** Calls to replay. */
  replay?: ReplayJob;
}
