import { formatBytes } from '../base/text/format-bytes.js';
import type { CallMemory } from './log-and-outbound-types.js';

export const limitNames = [
  'timeMs',
  'scriptBytes',
  'requestBytes',
  'responseBytes',
  'outboundRequests',
] as const;

export type LimitName = (typeof limitNames)[number];

/** The limits for a call. Unknown limits are omitted. */
export type CallLimits = { [Name in LimitName]?: number };

export const limitTitles: Readonly<Record<LimitName, string>> = {
  timeMs: 'time',
  scriptBytes: 'script size',
  requestBytes: 'request body',
  responseBytes: 'response body',
  outboundRequests: 'outbound requests',
};

/** How much of each limit a call has used, if known. `near` means more than 80% of the limit. */
export type Headroom = { [Name in LimitName]?: { used: number; limit?: number; near?: true } };

/** A limit that a call came close to or exceeded. */
export interface LimitUse {
  name: LimitName;
  used: number;
  limit: number;
}

/** Returns a description such as `time 25.1 s of 30 s`. */
export const describeUse = ({ name, used, limit }: LimitUse): string =>
  `${limitTitles[name]} ${showAmount(name, used)} of ${showAmount(name, limit)}`;

export function showAmount(name: LimitName, value: number): string {
  if (name === 'outboundRequests') return String(value);
  if (name !== 'timeMs') return formatBytes(value);
  return value < 1000 ? `${Math.round(value)} ms` : `${Number((value / 1000).toFixed(1))} s`;
}

/** Returns a description such as `41 MB, 12 MB more than after the first call`. */
export const describeMemory = ({ bytes, grown = 0 }: CallMemory): string =>
  grown > 0
    ? `${formatBytes(bytes)}, ${formatBytes(grown)} more than after the first call`
    : formatBytes(bytes);
