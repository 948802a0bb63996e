/** What the platform can ask the module in front of the script to do, instead of handling a call. */
export type WorkerOrder = 'load' | 'ping' | 'drain';

/** Sent with each request to workerd, in a place that scripts cannot see. */
export interface WorkerHead {
  /** Protects against other programs that find the socket: they do not have the key. */
  key: string;
  call?: string;
  order?: WorkerOrder;
}

/** Sent with each outbound request. */
export interface OutboundHead extends Pick<WorkerHead, 'key' | 'call'> {
  /** In the order in which the call started its requests. Bodies of different lengths change the order of arrival. */
  number: number;
}

/**
 * The header that carries the head as JSON between workerd and the platform. workerd does not show it to
 * the script.
 */
export const HEAD_HEADER = 'x-platform-head';

/** What the worker module receives together with its code. */
export interface WorkerSettings {
  key: string;
  /** The platform's version. */
  version: string;
}
