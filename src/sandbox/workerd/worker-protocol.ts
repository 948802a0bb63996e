import type { ReplayJob } from '../replay/replay-types.js';

/** Requests other than calls that the platform can send to the module in front of the script. */
export type WorkerOrder = 'load' | 'ping' | 'drain';

/** Sent with each request to workerd, but hidden from scripts. */
export interface WorkerHead {
  /** Keeps out other programs, which might find the socket but do not know the key. */
  key: string;
  call?: string;
  ahead?: number | undefined;
  order?: WorkerOrder;
}

/** Sent with each outbound request. */
export interface OutboundHead extends Pick<WorkerHead, 'key' | 'call'> {
  /**
   * The number of the request. A call's requests are numbered in the order in which they start, but may arrive in a
   * different order, because their bodies differ in length.
   */
  number: number;
  /** How the script handles redirects. */
  redirect: RequestRedirect;
}

/** The header in which the platform and workerd send the head as JSON. workerd does not pass it on to the script. */
export const HEAD_HEADER = 'x-platform-head';

/** Settings that the worker module receives with its code. */
export interface WorkerSettings {
  key: string;
  version: string;
  replay?: ReplayJob;
}
