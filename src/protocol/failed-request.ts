import type { OutboundCall } from './log-and-outbound-types.js';

/** Whether an outbound request has failed. This means that there was no response or that the response has an error status. */
export const isFailedRequest = ({ status }: Pick<OutboundCall, 'status'>): boolean =>
  status === 0 || status >= 400;
