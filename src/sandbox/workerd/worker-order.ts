/** What the platform asks of the module that runs in front of the script, in place of a call. */
export type WorkerOrder = 'load' | 'ping' | 'drain';

/** What comes with each request to workerd, beside its head, where no script sees it. */
export interface WorkerHead {
  /** Another program that finds the socket does not have it. */
  key: string;
  call?: string;
  order?: WorkerOrder;
}

/** What comes with each outbound request. */
export type OutboundHead = Pick<WorkerHead, 'key' | 'call'>;

/** The header that carries it as JSON between workerd and the platform; workerd keeps it to itself. */
export const HEAD_HEADER = 'x-platform-head';

/** What the worker gets with its code. */
export interface WorkerSettings {
  key: string;
  /** Of the platform. */
  version: string;
}
