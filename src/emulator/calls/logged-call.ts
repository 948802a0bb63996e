import type { OutboundCall, OutboundDetails } from '../../protocol/log-and-outbound-types.js';
import type { CallLog, CallRecord } from '../../store/calls/call-log.js';
import { parseJson } from '../../base/parse-json.js';

/** The inputs and the response of a call as stored in the log, with known secrets masked. */
export interface LoggedCall
  extends
    Pick<CallRecord, 'id' | 'time'>,
    Partial<
      Pick<CallRecord, 'event' | 'environment' | 'defaulted' | 'cause' | 'requestBytes' | 'responseBytes'>
    > {
  response?: { status: number; headers?: readonly (readonly [string, string])[] } | undefined;
  /** Only the beginning, if the response was long. */
  responseBody?: Uint8Array | undefined;
  outbound: (OutboundCall & Partial<OutboundDetails>)[];
  /** Undefined if the request had no body or the body has been deleted. */
  requestBody?: Uint8Array | undefined;
}

/** Adds the bodies to a call read from the log. */
export const loggedCall = (call: CallRecord, callLog: Pick<CallLog, 'body'>): LoggedCall => ({
  ...call,
  outbound: call.outbound.map(({ details, ...request }) => ({
    ...request,
    ...(details !== undefined && readDetails(callLog.body(call.id, `outbound-${details}`))),
  })),
  requestBody: callLog.body(call.id, 'request'),
  responseBody: callLog.body(call.id, 'response'),
});

/** The details may have been deleted, because the size of the log is limited. */
const readDetails = (bytes: Uint8Array | undefined): Partial<OutboundDetails> =>
  bytes ? (parseJson(new TextDecoder().decode(bytes), {}) as Partial<OutboundDetails>) : {};
