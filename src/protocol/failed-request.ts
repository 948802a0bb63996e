import type { OutboundCall } from './log-and-outbound-types.js';

/** Whether an outbound request has failed, which means that there was no response or that its status is an error. */
export const isFailedRequest = ({ status }: Pick<OutboundCall, 'status'>): boolean =>
  status === 0 || status >= 400;
