import type { ReplayJob } from '../replay/replay-types.js';

/** Requests other than calls that the platform can send to the module in front of the script. */
export type WorkerOrder = 'load' | 'ping' | 'drain';

/** Sent with each request to workerd, hidden from scripts. */
export interface WorkerHead {
  /** Keeps out other programs, which may find the socket but do not have the key. */
  key: string;
  call?: string;
  order?: WorkerOrder;
}

/** Sent with each outbound request. */
export interface OutboundHead extends Pick<WorkerHead, 'key' | 'call'> {
  /**
   * The number of a call's request, in the order in which requests start. They can arrive in a different order, because their
   * bodies have different lengths.
   */
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
  version: string;
  /** The calls to replay. */
  replay?: ReplayJob;
}
