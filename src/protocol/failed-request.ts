import type { OutboundCall } from './log-and-outbound-types.js';

/** Whether an outbound request failed, either without a response or with an error status. */
export const isFailedRequest = ({ status }: Pick<OutboundCall, 'status'>): boolean =>
  status === 0 || status >= 400;
