import type { ConnectionStep } from '../../../contract/routes/connections.js';
import type { OutboundDetails } from '../../../protocol/log-and-outbound-types.js';
import type { CallRecord } from '../../../store/calls/call-log.js';

/**
 * A step whose failure has not been read yet. A failed step has a reason, unless the script threw an error that explains the
 * failure.
 */
export type DraftStep = Omit<ConnectionStep, 'failure'> & { reason?: string };

/** Describes the script response that ended a connection. */
export function scriptResponse(call: CallRecord, read: StepReader): string {
  const page = read.page(call);
  return `The script responded with ${call.response?.status}${page && `: ${page}`}`;
}

export interface StepReader {
  details(call: CallRecord, outbound: number): OutboundDetails | undefined;
  /** Returns the text of the page that a call returned. */
  page(call: CallRecord): string;
  /** If the built-in provider is in use and would reject this URL, returns the reason. */
  refusal(authorize: URL): string | undefined;
  /** Whether the built-in provider replaces the real one. */
  builtIn: boolean;
}
