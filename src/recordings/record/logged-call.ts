import type { Environment } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { OutboundCall, OutboundDetails } from '../../protocol/log-and-outbound-types.js';

/** A call from the log of `platform dev`, with known secrets masked. */
export interface LoggedCall {
  id: string;
  event?: PlatformEvent | undefined;
  environment?: Environment | undefined;
  time: number;
  response?: { status: number } | undefined;
  outbound: (OutboundCall & Partial<OutboundDetails>)[];
  requestBody?: Uint8Array | undefined;
}
