import { envelopeLimits } from '../../protocol/envelope/envelope-limits.js';
import {
  limitNames,
  type CallLimits,
  type Headroom,
  type LimitName,
  type LimitUse,
} from '../../protocol/call-limits.js';
import type { CallRecord } from '../../store/calls/call-log.js';

/** A call that uses more than this fraction of a limit is marked. */
const NEAR = 0.8;

/** The limits in the specification. The time limit can be changed with `--timeout`. */
const defaultLimits: CallLimits = { requestBytes: envelopeLimits['fetch-body'] };

/**
 * Returns the limits for the session. The dev settings take precedence, but the time limit is never longer than the call timeout.
 */
export function chooseLimits(settings: CallLimits = {}, timeoutMs?: number): CallLimits {
  const times = [settings.timeMs, timeoutMs].filter((ms) => ms !== undefined);
  return { ...defaultLimits, ...settings, ...(times.length > 0 && { timeMs: Math.min(...times) }) };
}

type Recorded = Pick<
  CallRecord,
  | 'source'
  | 'outcome'
  | 'durationMs'
  | 'headMs'
  | 'scriptBytes'
  | 'requestBytes'
  | 'responseBytes'
  | 'outbound'
>;

/** Returns how much of each limit a call has used, or undefined if the entry is not a call or never reached the script. */
export function headroomOf(call: Recorded, limits: CallLimits): Headroom | undefined {
  if (!ran(call)) return undefined;
  const headroom: Headroom = {};
  for (const name of limitNames) {
    const used = usedOf(call, name);
    const limit = limits[name];
    if (used !== undefined)
      headroom[name] = {
        used,
        ...(limit !== undefined && { limit }),
        ...(isNear(used, limit) && { near: true }),
      };
  }
  return headroom;
}

/**
 * Returns the limits that a call came close to or exceeded, or undefined if there is no such limit, as for almost every
 * call.
 */
export function nearLimits(call: Recorded, limits: CallLimits): LimitUse[] | undefined {
  if (!ran(call)) return undefined;
  let near: LimitUse[] | undefined;
  for (const name of limitNames) {
    const used = usedOf(call, name) ?? 0;
    const limit = limits[name];
    if (limit !== undefined && isNear(used, limit)) (near ??= []).push({ name, used, limit });
  }
  return near;
}

const ran = ({ source, outcome }: Recorded): boolean =>
  source !== 'script' && outcome !== 'running' && outcome !== 'withheld';

const isNear = (used: number, limit: number | undefined): boolean =>
  limit !== undefined && used > limit * NEAR;

function usedOf(call: Recorded, name: LimitName): number | undefined {
  switch (name) {
    // The end of the call does not count, because a body may still be streaming long after the response has started.
    case 'timeMs':
      return call.headMs ?? call.durationMs;
    case 'outboundRequests':
      return call.outbound.length;
    default:
      return call[name];
  }
}
