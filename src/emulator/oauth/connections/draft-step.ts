import type { ConnectionStep } from '../../../contract/routes/connections.js';
import type { OutboundDetails } from '../../../protocol/log-and-outbound-types.js';
import type { CallRecord } from '../../../store/calls/call-log.js';

/** A step that has failed has a reason, unless the script threw an error that explains it. */
export type DraftStep = Omit<ConnectionStep, 'failure'> & { reason?: string };

/** Describes the script's response with which a connection ended. */
export function scriptResponse(call: CallRecord, read: StepReader): string {
  const page = read.page(call);
  return `The script responded with ${call.response?.status}${page && `: ${page}`}`;
}

export interface StepReader {
  details(call: CallRecord, outbound: number): OutboundDetails | undefined;
  /** Returns the text of a page that a call has returned. */
  page(call: CallRecord): string;
  /** Returns why the built-in provider would reject this URL, if that provider is in use. */
  refusal(authorize: URL): string | undefined;
}
