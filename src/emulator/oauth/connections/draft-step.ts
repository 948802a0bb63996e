import type { ConnectionStep } from '../../../contract/routes/connections.js';
import type { OutboundDetails } from '../../../protocol/log-and-outbound-types.js';
import type { TrafficEntry } from '../../../store/calls/call-log.js';

/** A step that failed says why, unless the script threw an error that does. */
export type DraftStep = Omit<ConnectionStep, 'failure'> & { reason?: string };

export interface StepReader {
  details(call: TrafficEntry, outbound: number): OutboundDetails | undefined;
  /** The text of the page that a call responded with. */
  page(call: TrafficEntry): string;
  /** What the built-in provider has against this address, if it is in use. */
  refusal(authorize: URL): string | undefined;
}
