import type { CallMemory } from '../../protocol/log-and-outbound-types.js';

/** Sent by the platform before the body of a call. */
export interface CallHead {
  id: string;
  method: string;
  url: string;
  headers: [name: string, value: string][];
  /** How many milliseconds the script's clock is ahead of the machine's, if the platform's clock was moved. */
  ahead?: number | undefined;
}

/** Sent by the script's process before the body of a response. */
export interface ResponseHead {
  status: number;
  headers: [name: string, value: string][];
  memory?: CallMemory;
}

/** The id of the warm-up call, which never reaches the script. */
export const REHEARSAL = 'rehearsal';
