import type { OutboundCall } from './log-and-outbound-types.js';

/** An outbound request failed if there was no response, or if its status is an error. */
export const isFailedRequest = ({ status }: Pick<OutboundCall, 'status'>): boolean =>
  status === 0 || status >= 400;
