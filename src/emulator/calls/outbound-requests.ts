import type { Clock } from '../../base/clock.js';
import type { TrafficEntry } from '../../store/calls/call-log.js';
import { newId } from '../state/new-id.js';

/** What a script prints and fetches between calls, as it loads or in timers of its own. */
export interface OutsideCalls {
  /** The entry that takes what comes now: what comes in one go is kept together. */
  entry(): TrafficEntry;
}

const oneGoMs = 1000;
const most = 100;

export function createOutsideCalls({
  clock,
  version,
}: {
  clock: Clock;
  version: () => number;
}): OutsideCalls {
  let current: TrafficEntry | undefined;
  let last = 0;
  return {
    entry() {
      const now = clock.now();
      const full = current && current.logs.length + current.outbound.length >= most;
      if (!current || full || current.version !== version() || now - last > oneGoMs) {
        current = {
          id: newId('call'),
          source: 'script',
          event: undefined,
          environment: undefined,
          time: now,
          version: version(),
          outcome: 'ok',
          requestBytes: 0,
          responseBytes: 0,
          logs: [],
          outbound: [],
        };
      }
      last = now;
      return current;
    },
  };
}
