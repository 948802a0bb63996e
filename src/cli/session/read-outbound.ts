import { isUserError } from '../../base/user-error.js';
import type { Call } from '../../contract/call.js';
import type { OutboundDetails } from '../../contract/basics/outbound.js';
import type { CallRecord } from '../../contract/routes/calls.js';

export type RecordedOutbound = Omit<CallRecord['outbound'][number], 'details'> & Partial<OutboundDetails>;

/** Reads a call's outbound requests, including their headers and the recorded parts of their bodies. */
export const readOutbound = (
  call: Call,
  { id, outbound }: Pick<CallRecord, 'id' | 'outbound'>,
): Promise<RecordedOutbound[]> =>
  Promise.all(
    outbound.map(async ({ details, ...request }) => {
      if (details === undefined) return request;
      const input = { call: id, number: details };
      const found = await call('GET /calls/{call}/outbound/{number}', input).catch(undefinedIfMissing);
      return { ...request, ...found };
    }),
  );

/** Returns undefined if the body is not found: a call may have no body, or its body may have been deleted. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!isUserError(error) || error.code !== 'not-found') throw error;
}
